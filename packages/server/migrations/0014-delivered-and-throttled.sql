-- What a vendor answered with, once it is in our storage and until the task ends: whoever finds it
-- completes the task from it.
alter table open_tasks add column delivered jsonb;

-- Until then a vendor account takes no submits: it said so. Null: nothing is known against it.
alter table vendor_pace add column throttled_until timestamptz;
