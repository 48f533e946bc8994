/**
 * The shape of a series: the value of a gauge, the two values that it alternates between at each
 * scrape, or the growth of a counter per second.
 */
export type Shape =
  | { readonly is: number }
  | { readonly flaps: readonly [number, number] }
  | { readonly perSecond: number };
export const is = (value: number): Shape => ({ is: value });
export const flaps = (first: number, second: number): Shape => ({ flaps: [first, second] });
export const perSecond = (rate: number): Shape => ({ perSecond: rate });

export const api = 'job="zoetrope-api",instance="api:1"';
export const worker = 'job="zoetrope-worker",instance="worker:1"';
export const ark = `${worker},vendor_account="ark"`;
export const task = `${worker},kind="generation",mode="live",model="sd2"`;
export const create = `${api},route="/api/v1/jobs/createTask"`;

/** A deployment on an ordinary day: a receiver is down, a vendor had hiccups, a wake-up was lost. */
export const ordinary: Readonly<Record<string, Shape>> = {
  [`up{${api}}`]: is(1),
  [`up{${worker}}`]: is(1),
  [`zoetrope_part_up{${api},part="database"}`]: is(1),
  [`zoetrope_part_up{${api},part="engine"}`]: is(1),
  [`zoetrope_part_up{${api},part="storage"}`]: is(1),
  [`zoetrope_part_up{${worker},part="database"}`]: is(1),
  [`zoetrope_part_up{${worker},part="engine"}`]: is(1),
  [`zoetrope_part_up{${worker},part="storage"}`]: is(1),
  [`zoetrope_part_up{${worker},part="fence"}`]: is(1),
  [`zoetrope_loop_alive{${worker},loop="deliveries"}`]: is(1),
  [`zoetrope_engine_partition_silent_seconds{${worker},partition="0"}`]: is(0),
  [`zoetrope_engine_partition_silent_seconds{${worker},partition="1"}`]: is(40),
  [`zoetrope_open_tasks_overdue{${worker}}`]: is(0),
  [`zoetrope_rows_parked{${worker}}`]: is(0),
  [`zoetrope_review_oldest_age_seconds{${worker}}`]: is(3_600),
  [`zoetrope_ledger_breaches{${worker}}`]: is(0),
  [`zoetrope_failing_delivery_accounts{${worker}}`]: is(1),
  [`zoetrope_work_dir_free_bytes{${worker}}`]: is(50_000_000_000),
  [`zoetrope_pool_waiting{${api},state="connection"}`]: is(0),
  [`zoetrope_pool_waiting{${api},state="turn"}`]: is(2),
  [`zoetrope_pool_connections_max{${api}}`]: is(10),
  [`zoetrope_vendor_breaker_open{${ark}}`]: is(0),
  [`zoetrope_vendor_throttled{${ark}}`]: is(0),
  [`zoetrope_vendor_submits_total{${ark},outcome="accepted"}`]: perSecond(0.5),
  [`zoetrope_vendor_submits_total{${ark},outcome="throttled"}`]: perSecond(0.1),
  [`zoetrope_vendor_polls_total{${ark},outcome="waiting"}`]: perSecond(2),
  [`zoetrope_vendor_polls_total{${ark},outcome="unavailable"}`]: perSecond(0.2),
  [`zoetrope_delivery_attempts_total{${worker},outcome="delivered"}`]: perSecond(0.5),
  [`zoetrope_delivery_attempts_total{${worker},outcome="retried"}`]: perSecond(0.1),
  [`zoetrope_wake_ups_repeated_total{${worker},kind="generation"}`]: perSecond(0.05),
  [`zoetrope_storage_operations_total{${worker},operation="put",outcome="done"}`]: perSecond(0.5),
  [`zoetrope_storage_operations_total{${worker},operation="put",outcome="failed"}`]:
    perSecond(0.01),
  [`zoetrope_certificate_expiry_timestamp_seconds{${worker},part="public"}`]: is(60 * 86_400),
  [`zoetrope_storage_free_bytes{${worker}}`]: is(50_000_000_000),
  [`zoetrope_vendor_account_closed{${ark},reason="paused"}`]: is(0),
  [`zoetrope_vendor_account_closed{${ark},reason="budget"}`]: is(0),
  [`zoetrope_vendor_account_closed{${ark},reason="unusable"}`]: is(0),
  [`zoetrope_tasks_accepted_total{${api},kind="generation",mode="live",model="sd2"}`]:
    perSecond(0.6),
  [`zoetrope_tasks_finished_total{${task},outcome="completed"}`]: perSecond(0.5),
  [`zoetrope_tasks_finished_total{${task},outcome="vendor_failed"}`]: perSecond(0.002),
  [`zoetrope_tasks_finished_total{${task},outcome="vendor_refused"}`]: perSecond(0.002),
  [`zoetrope_tasks_finished_total{${task},outcome="output_blocked"}`]: perSecond(0.05),
  [`zoetrope_tasks_finished_total{${task},outcome="input_unusable"}`]: perSecond(0.05),
  // Somebody tries how a client takes failures.
  [`zoetrope_tasks_finished_total{${worker},kind="generation",mode="test",model="sd2",outcome="vendor_failed"}`]:
    perSecond(1),
  [`zoetrope_task_finish_seconds_bucket{${task},le="30.0"}`]: perSecond(0),
  [`zoetrope_task_finish_seconds_bucket{${task},le="60.0"}`]: perSecond(0.6),
  [`zoetrope_task_finish_seconds_bucket{${task},le="120.0"}`]: perSecond(0.6),
  [`zoetrope_task_finish_seconds_bucket{${task},le="300.0"}`]: perSecond(0.6),
  [`zoetrope_task_finish_seconds_bucket{${task},le="+Inf"}`]: perSecond(0.6),
  [`zoetrope_task_finish_seconds_count{${task}}`]: perSecond(0.6),
  [`zoetrope_http_requests_total{${create},status="200"}`]: perSecond(0.6),
  [`zoetrope_http_requests_total{${create},status="401"}`]: perSecond(100),
  [`zoetrope_http_requests_total{${create},status="503"}`]: perSecond(0.0003),
  [`zoetrope_http_request_duration_seconds_bucket{${create},le="1.0"}`]: perSecond(0.597),
  [`zoetrope_http_request_duration_seconds_count{${create}}`]: perSecond(0.6),
};
