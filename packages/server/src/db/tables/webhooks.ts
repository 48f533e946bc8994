import type { Generated } from "kysely";
import type { AccountId, DeliveryId, TaskId } from "../../ids.ts";

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
  };
  attempts: {
    delivery_id: DeliveryId;
    number: number;
    started_at: Date;
    duration_ms: number | null;
    status: number | null;
    reason: string | null;
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
