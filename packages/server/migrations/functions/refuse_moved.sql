-- Refuses a write for an account that lives in another shard by now, with the state ZM001. The key share is the one
-- that a foreign key takes as well: whoever moves an account locks its row for update, so that it waits for those who
-- write, and those who come later wait for the move and find the account moved.
--
-- What guards which table:
--   this trigger                    accounts, api_keys, assets, asset_uploads, asset_declarations, open_reviews,
--                                   account_reviews, account_libraries, webhook_endpoints, account_notes, grants,
--                                   label_agreements
--   the account's lock              tasks, transfers, entries, lots, lot_uses, idempotency_keys, events, usage_hours,
--                                   usage_days, freed_outputs: accept_task and begin_lots look themselves, all others
--                                   come through post_transfer to the trigger of accounts; audit_entries with the
--                                   change that they are about
--   the open row, gone by then      open_tasks, submissions, open_deliveries, attempts, upscales, upscale_segments
--   the statement itself            deliveries that somebody asks for: see webhooks/delivery-queries.ts
--   nothing, a note may get lost    key_uses, endpoint_health, account_allowances, upscale_turns, logged_requests,
--                                   stuck_rows, the outcome of a submit whose task was over before it
-- The owner of the schema may write: it is who moves accounts.
create or replace function refuse_moved() returns trigger language plpgsql as $$
declare
  account uuid;
  shard smallint;
begin
  if tg_table_name <> 'accounts' then
    account := new.account_id;
  elsif tg_op = 'INSERT' then
    account := new.test_of;
  else
    account := new.id;
  end if;
  select moved_to into shard from accounts where id = account for key share;
  if shard is not null and current_user <> (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) then
    raise exception 'the account % has moved to shard %', account, shard using errcode = 'ZM001';
  end if;
  return new;
end
$$;
