-- Deletes freed outputs whose period is over, and agreements of erased accounts under which none is left; answers how many
-- outputs. 184 days are the longest six months. Nobody else deletes them: the service has no right to, and no setting
-- shortens the period.
create or replace function forget_freed_outputs(p_rows_max integer, out rows_deleted integer)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  kept_from timestamptz := now() - interval '184 days';
begin
  with old as (
    select task_id, number from freed_outputs
    where task_id < id_floor(kept_from) and delivered_at < kept_from -- a task is older than its delivery
    order by task_id, number limit p_rows_max for update skip locked
  )
  delete from freed_outputs f using old where f.task_id = old.task_id and f.number = old.number;
  get diagnostics rows_deleted = row_count;
  delete from label_agreements g using accounts a
  where a.id = g.account_id and a.erased_at is not null and not exists (
    select from freed_outputs f join accounts o on o.id = f.account_id
    where coalesce(o.test_of, o.id) = a.id and f.agreement_id = g.id);
end
$$;
revoke execute on function forget_freed_outputs from public;
grant execute on function forget_freed_outputs to zoetrope_service;
