-- The trace of a request goes on after its answer: the W3C traceparent of the request that created the task, while the
-- task and its callback are in flight. Null: traces were off.
alter table open_tasks add column traceparent text;
alter table open_deliveries add column traceparent text;
