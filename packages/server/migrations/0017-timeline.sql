-- Moments of a task for its timeline. Each is carried by an update that is made anyway.

-- When the vendor's job was seen to be over.
alter table open_tasks add column vendor_ended_at timestamptz;
-- When the outcome of a submit was known, and when the vendor's job was.
alter table submissions
  add column ended_at timestamptz,
  add column accepted_at timestamptz;
-- When a segment was first leased, and when it was done or given up.
alter table upscale_segments
  add column started_at timestamptz,
  add column ended_at timestamptz;
-- What of this would be gone with the task's open rows: see task_moments.
alter table tasks add column moments jsonb;

grant update (moments) on tasks to zoetrope_service;
grant update (ended_at, accepted_at) on submissions to zoetrope_service;
grant update (started_at, ended_at) on upscale_segments to zoetrope_service;
