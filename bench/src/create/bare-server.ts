import { openPool } from "@zoetrope/server/db/database.ts";
import { newId } from "@zoetrope/server/ids.ts";
import Fastify from "fastify";
import { accountIdOf, keyIdOf, order } from "./bench-database.ts";

/** What any Node service would pay for the same SQL: a route that does nothing else. */
const [port, databaseUrl, connectionsMax] = process.argv.slice(2);
const pool = openPool(String(databaseUrl), Number(connectionsMax), "bare");
const places = Array.from({ length: 16 }, (_, index) => `$${index + 1}`).join(", ");
const text = `select * from accept_task(${places})`;
const hourMs = 3_600_000;

const app = Fastify();
app.post("/", async ({ headers }) => {
  const n = Number(headers["x-account"]);
  const { rows } = await pool.query<{ task_id: string }>({
    name: "accept_task",
    text,
    values: [
      ...[accountIdOf(n), keyIdOf(n), newId(0), newId(0)],
      ...[
        "generation",
        "sd2",
        order.request,
        "A",
        30,
        null,
        null,
        "ark",
        2 * hourMs,
        10_000,
        null,
        null,
      ],
    ],
  });
  return { taskId: rows[0]?.task_id };
});
await app.listen({ host: "127.0.0.1", port: Number(port) });
process.stdout.write("listening\n");
