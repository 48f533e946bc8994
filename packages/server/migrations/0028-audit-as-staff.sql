-- Whether somebody acted as staff of the deployment; null: from before it was noted.
alter table audit_entries add column as_staff boolean;
