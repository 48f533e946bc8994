-- Since when an account takes no submits because its credits of the day do not suffice; null: the last submit fitted.
alter table vendor_usage add column refused_at timestamptz;
