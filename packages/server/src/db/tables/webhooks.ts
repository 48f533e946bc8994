import type { Generated } from "kysely";
import type { AccountId, DeliveryId, EndpointId, TaskId } from "../../ids.ts";

export interface WebhookTables {
  events: {
    id: DeliveryId;
    account_id: AccountId;
    number: number;
    task_id: TaskId;
    type: string;
    body: string;
    created_at: Generated<Date>;
  };
  deliveries: {
    id: DeliveryId;
    account_id: AccountId;
    task_id: TaskId | null;
    url: string;
    body: string;
    created_at: Generated<Date>;
    delivered_at: Date | null;
    given_up_at: Date | null;
    rounds: Generated<number>;
    endpoint_id: Generated<EndpointId | null>;
    event_id: Generated<DeliveryId | null>;
  };
  attempts: {
    delivery_id: DeliveryId;
    number: number;
    started_at: Date;
    duration_ms: number | null;
    status: number | null;
    reason: string | null;
  };
  webhook_endpoints: {
    id: EndpointId;
    account_id: AccountId;
    url: string;
    events: string[] | null;
    description: string;
    secret: string;
    secret_before: Generated<string | null>;
    secret_before_until: Generated<Date | null>;
    paused_at: Generated<Date | null>;
    pause_reason: Generated<"owner" | "failing" | null>;
    created_at: Generated<Date>;
  };
  endpoint_health: {
    endpoint_id: EndpointId;
    status: number | null;
    reason: string | null;
    since: Date;
    failures: number;
    failing_since: Date | null;
    last_attempt_at: Date;
    last_success_at: Date | null;
  };
  open_deliveries: {
    delivery_id: DeliveryId;
    account_id: AccountId;
    host: Generated<string>;
    attempts: Generated<number>;
    attempts_before: Generated<number>;
    next_attempt_at: Date;
    traceparent: Generated<string | null>;
  };
}
