-- Several vendor accounts, vendors that answer with the result itself, and test mode.

-- The twin of an account for its test-mode keys: credits, tasks and history of its own, none of it real.
alter table accounts add column test_of uuid unique references accounts;

alter table submissions drop constraint submissions_outcome_check;
alter table submissions add constraint submissions_outcome_check
  check (outcome in ('accepted', 'delivered', 'refused', 'throttled', 'unavailable', 'unknown'));

-- How the vendor's job ended badly, until the task ends; result_url is the same for a good end.
alter table open_tasks add column failure_code text;
