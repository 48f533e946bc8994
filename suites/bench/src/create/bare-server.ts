import { openConnections } from "@zoetrope/server/db/connections.ts";
import { onlyRow } from "@zoetrope/server/db/only-row.ts";
import { newId } from "@zoetrope/server/ids.ts";
import Fastify from "fastify";
import { accountIdOf, keyIdOf, sampleTask } from "./bench-database.ts";

/**
 * The bare contestant, a route that does nothing but the same SQL, which any Node service would
 * have to pay for.
 */
const [port, databaseUrl, connectionsMax] = process.argv.slice(2);
const pool = openConnections(String(databaseUrl), Number(connectionsMax), "bare");
const hourMs = 3_600_000;
const request: unknown = JSON.parse(sampleTask.request);

const app = Fastify();
app.post("/", async ({ headers }) => {
  const n = Number(headers["x-account"]);
  const row = {
    place: 0,
    account_id: accountIdOf(n),
    key_id: keyIdOf(n),
    task_id: newId(0),
    hold_id: newId(0),
    kind: "generation",
    model: "sd2",
    request,
    price_schedule: "A",
    credits: 30,
    credits_max: null,
    callback_url: null,
    vendor_account: "ark",
    age_max_ms: 2 * hourMs,
    wake_again_ms: 10_000,
    idempotency_key: null,
    fingerprint: null,
  };
  const { rows } = await pool.query<{ task_id: string }>({
    name: "accept_tasks",
    text: "select * from accept_tasks(p_rows => $1, p_wait => 'brief')",
    values: [JSON.stringify([row])],
  });
  return { taskId: onlyRow(rows).task_id };
});
await app.listen({ host: "127.0.0.1", port: Number(port) });
process.stdout.write("listening\n");
