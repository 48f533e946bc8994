import { callFunction, openPool } from "@zoetrope/server/db/database.ts";
import { newId } from "@zoetrope/server/ids.ts";
import Fastify from "fastify";
import { accountIdOf, keyIdOf, sampleTask } from "./bench-database.ts";

/** What any Node service would pay for the same SQL: a route that does nothing else. */
const [port, databaseUrl, connectionsMax] = process.argv.slice(2);
const pool = openPool(String(databaseUrl), Number(connectionsMax), "bare");
const hourMs = 3_600_000;

const app = Fastify();
app.post("/", async ({ headers }) => {
  const n = Number(headers["x-account"]);
  const accepted = await callFunction<{ task_id: string }>(pool, "accept_task", {
    account_id: accountIdOf(n),
    key_id: keyIdOf(n),
    task_id: newId(0),
    hold_id: newId(0),
    kind: "generation",
    model: "sd2",
    request: sampleTask.request,
    price_schedule: "A",
    credits: 30,
    credits_max: null,
    callback_url: null,
    vendor_account: "ark",
    age_max_ms: 2 * hourMs,
    wake_again_ms: 10_000,
    idempotency_key: null,
    fingerprint: null,
  });
  return { taskId: accepted.task_id };
});
await app.listen({ host: "127.0.0.1", port: Number(port) });
process.stdout.write("listening\n");
