-- Test mode can be switched off for an account: no test key is issued or accepted. Set on both rows, the live account's
-- and its test account's.
alter table accounts add column test_mode_off_at timestamptz;
grant update (test_mode_off_at) on accounts to zoetrope_service;
