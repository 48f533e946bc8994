-- Queues an event for every endpoint of the account that wants its type; says for how many it is due now. All of them
-- get the event's id as webhook-id. For a paused endpoint the delivery is only recorded, so that it can be requested
-- later; after 30 days of pause, as long as events are kept, nothing is.
create or replace function queue_event(
  p_account_id uuid, p_event_id uuid, p_type text, p_data text,
  p_task_id uuid default null, p_traceparent text default null, out queued integer
) language plpgsql as $$
declare
  e record;
  delivery uuid;
  message text;
begin
  queued := 0;
  for e in
    select id, url, paused_at from webhook_endpoints
    where account_id = p_account_id and (events is null or p_type = any (events))
      and (paused_at is null or paused_at > now() - interval '30 days')
    order by id
  loop
    message := coalesce(message, format('{"type":"%s","timestamp":"%s","data":%s}', p_type,
      to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), p_data));
    delivery := sibling_id(p_event_id);
    insert into deliveries (id, account_id, task_id, url, body, endpoint_id, event_id, given_up_at)
    values (delivery, p_account_id, p_task_id, e.url, message, e.id, p_event_id,
            case when e.paused_at is not null then now() end);
    if e.paused_at is null then
      insert into open_deliveries (delivery_id, account_id, host, next_attempt_at, traceparent)
      values (delivery, p_account_id, coalesce(substring(e.url from '^https?://([^/?#]+)'), ''), now(), p_traceparent);
      queued := queued + 1;
    end if;
  end loop;
end
$$;
