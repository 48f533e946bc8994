import type { Generated } from "kysely";

export interface WebhookTables {
  events: {
    id: string;
    account_id: string;
    number: number;
    task_id: string;
    type: string;
    body: string;
    created_at: Generated<Date>;
  };
  deliveries: {
    id: string;
    account_id: string;
    task_id: string | null;
    url: string;
    body: string;
    created_at: Generated<Date>;
    delivered_at: Date | null;
    given_up_at: Date | null;
    rounds: Generated<number>;
  };
  attempts: {
    delivery_id: string;
    number: number;
    started_at: Date;
    duration_ms: number | null;
    status: number | null;
    reason: string | null;
  };
  open_deliveries: {
    delivery_id: string;
    account_id: string;
    host: Generated<string>;
    attempts: Generated<number>;
    attempts_before: Generated<number>;
    next_attempt_at: Date;
  };
}
