-- The only way to a terminal state: status, credits, event and callback at once. Says whether this call did it; a
-- second call finds nothing to do. The open row is locked first, as everywhere: two orders would deadlock.
create or replace function finish_task(
  p_task_id uuid, p_status text, p_output jsonb, p_error_code text, p_error_message text,
  p_completed_at timestamptz, p_settlement_id uuid, p_event_id uuid, p_body text,
  out is_finished boolean
) language plpgsql as $$
declare
  t tasks;
  traceparent text;
  seen jsonb;
begin
  delete from open_tasks o where o.task_id = p_task_id
  returning o.traceparent, task_moments(o) into traceparent, seen;
  is_finished := found;
  if not is_finished then
    return;
  end if;
  update tasks set status = p_status, output = p_output, error_code = p_error_code,
                   error_message = p_error_message, completed_at = p_completed_at, moments = seen
  where id = p_task_id and status in ('PENDING', 'PROCESSING') returning * into strict t;
  perform post_transfer(p_cause_id => p_task_id, p_kind => case p_status when 'COMPLETED' then 'capture' else 'release' end,
                        p_transfer_id => p_settlement_id, p_account_id => t.account_id, p_amount => t.credits);
  perform record_usage(p_task => t);
  insert into output_prints (task_id, number, sha256, print, kind, made_at)
  select p_task_id, o.number - 1, decode(o.file ->> 'sha256', 'hex'), (o.file -> 'poster' ->> 'print')::bigint,
         case when t.kind = 'upscale' then 'upscale' when o.file ->> 'durationMs' is null then 'image' else 'video' end,
         p_completed_at
  from jsonb_array_elements(p_output) with ordinality as o (file, number);
  insert into freed_outputs (task_id, number, account_id, agreement_id, sha256, delivered_at)
  select p_task_id, o.number - 1, t.account_id, (o.file ->> 'labelAgreementId')::uuid, decode(o.file ->> 'sha256', 'hex'),
         p_completed_at
  from jsonb_array_elements(p_output) with ordinality as o (file, number)
  where o.file ->> 'labelAgreementId' is not null;
  if p_status = 'FAILED' and t.key_id is not null then
    update api_keys set credits_used = credits_used - t.credits where id = t.key_id and credits_max is not null;
  end if;
  insert into events (id, account_id, number, task_id, type, body)
  select p_event_id, t.account_id, a.transfers, p_task_id, t.kind || '.' || lower(p_status), p_body
  from accounts a where a.id = t.account_id;
  perform queue_event(t.account_id, p_event_id, t.kind || '.' || lower(p_status), p_body, p_task_id, traceparent);
  if t.callback_url is not null then
    insert into deliveries (id, account_id, task_id, url, body)
    values (p_event_id, t.account_id, p_task_id, t.callback_url, p_body);
    insert into open_deliveries (delivery_id, account_id, host, next_attempt_at, traceparent)
    values (p_event_id, t.account_id, coalesce(substring(t.callback_url from '^https?://([^/?#]+)'), ''), now(), traceparent);
  end if;
end
$$;
