import { waitUntil } from "@zoetrope/testkit/services/wait-until.ts";
import { Client } from "pg";
import { readInvocations } from "../../check/collect-evidence.ts";

const engineMsMax = 120_000;

/**
 * Waits until nothing is in flight: no open task, no open delivery, no invocation in the engine.
 * Bounded; what is not at rest then is for the invariants to report.
 */
export async function comeToRest(
  databaseUrl: string,
  engineAdminUrl: string,
  timeoutMs: number,
): Promise<boolean> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const isQuiet = async () => {
    const { rows } = await client.query<{ open: string }>(
      "select (select count(*) from open_tasks) + (select count(*) from open_deliveries) as open",
    );
    return Number(rows[0]?.open) === 0;
  };
  const isIdle = async () => (await readInvocations(engineAdminUrl)).length === 0;
  try {
    await waitUntil("all tasks and deliveries are over", isQuiet, { timeoutMs, intervalMs: 500 });
    await waitUntil("the engine is idle", isIdle, { timeoutMs: engineMsMax, intervalMs: 250 });
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
