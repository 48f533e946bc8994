-- Records how attempts of deliveries ended, in one transaction: each delivery is over, as delivered or given up, or due
-- again after again_ms. Rows that others have locked are busy, unless p_wait is 'long'.
create or replace function record_attempts(p_rows json, p_wait text, out place integer, out is_busy boolean)
returns setof record language plpgsql as $$
declare
  r record;
begin
  for r in
    select t.* from json_to_recordset(p_rows) as t (
      place integer, delivery_id uuid, number integer, status smallint, reason text, duration_ms integer,
      again_ms float8, is_delivered boolean)
    order by t.delivery_id, t.number
  loop
    place := r.place;
    is_busy := false;
    if p_wait = 'long' then
      perform from open_deliveries o where o.delivery_id = r.delivery_id for update;
    else
      perform from open_deliveries o where o.delivery_id = r.delivery_id for update skip locked;
      is_busy := not found and exists (select from open_deliveries o where o.delivery_id = r.delivery_id);
    end if;
    if not is_busy then
      update attempts a set status = r.status, reason = r.reason, duration_ms = r.duration_ms
      where a.delivery_id = r.delivery_id and a.number = r.number;
      if r.again_ms is not null then
        update open_deliveries o set next_attempt_at = now() + r.again_ms * interval '1 millisecond'
        where o.delivery_id = r.delivery_id and o.attempts = r.number;
      else
        delete from open_deliveries o where o.delivery_id = r.delivery_id;
        update deliveries d set
          delivered_at = case when r.is_delivered then now() else d.delivered_at end,
          given_up_at = case when not r.is_delivered then now() end
        where d.id = r.delivery_id;
      end if;
    end if;
    return next;
  end loop;
end
$$;
