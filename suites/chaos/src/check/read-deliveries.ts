import { Client } from "pg";
import { readLines } from "../kit/json-lines.ts";
import type { ReceivedRequest } from "../kit/receiver/received-request.ts";
import type { DeliveryEvidence, EventRow, MadeAttempt, MadeDelivery } from "./deliveries.ts";

const milliseconds = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

const queries = {
  events: `select id, account_id as "accountId", task_id as "taskId", body,
      ${milliseconds("created_at")} as "createdMs",
      ${milliseconds("pg_xact_commit_timestamp(xmin)")} as "committedMs"
    from events order by id`,
  deliveries: `select id, url, body, delivered_at is not null as "isDelivered",
      given_up_at is not null as "isGivenUp" from deliveries where endpoint_id is null`,
  attempts: `select delivery_id as "deliveryId", number, ${milliseconds("started_at")} as "startedMs",
      duration_ms as "durationMs", status, reason from attempts order by delivery_id, number`,
  secrets: "select id, webhook_secret as secret from accounts",
};

/** The database as its owner, on a server that keeps the times of commits, and the receivers' logs. */
export async function readDeliveries(
  databaseUrl: string,
  receiverLogs: readonly string[],
): Promise<Pick<DeliveryEvidence, "events" | "deliveries" | "received" | "secrets">> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    const events = await client.query<EventRow>(queries.events);
    const deliveries = await client.query<Omit<MadeDelivery, "attempts"> & { id: string }>(
      queries.deliveries,
    );
    const attempts = await client.query<MadeAttempt & { deliveryId: string }>(queries.attempts);
    const secrets = await client.query<{ id: string; secret: string }>(queries.secrets);
    const made = Map.groupBy(attempts.rows, (attempt) => attempt.deliveryId);
    const received: ReceivedRequest[] = [];
    for (const log of receiverLogs)
      for (const request of await readLines<ReceivedRequest>(log)) received.push(request);
    return {
      events: events.rows,
      deliveries: new Map(
        deliveries.rows.map((row) => [row.id, { ...row, attempts: made.get(row.id) ?? [] }]),
      ),
      received: Map.groupBy(received, (request) => request.webhookId ?? "none"),
      secrets: new Map(secrets.rows.map(({ id, secret }) => [id, secret])),
    };
  } finally {
    await client.end();
  }
}
