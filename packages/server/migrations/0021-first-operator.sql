-- An invitation to the staff can make the same person an owner: whoever starts a deployment has one link.
alter table one_time_links
  add column owned_account_id uuid references accounts,   -- staff: of which account also an owner
  add constraint one_time_links_owned_account check (owned_account_id is null or kind = 'staff') not valid;
