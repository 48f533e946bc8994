-- Erasing an account. Nothing new is accepted once it is closed; its name goes last, when all else is erased.
alter table accounts
  add column closed_at timestamptz,
  add column erased_at timestamptz;
