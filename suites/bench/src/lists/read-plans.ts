import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import type { Endpoint } from "./endpoints.ts";
import type { ListDatabase } from "./list-database.ts";

const settings = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_timing": "off",
  "auto_explain.log_nested_statements": "on",
};
/** Variants of a request that are shown. */
const requestsEach = 4;

/**
 * Returns the plans of the statements that each endpoint sends, as PostgreSQL ran them: a separate
 * api whose connections log every plan.
 */
export async function readPlans(
  dir: string,
  database: ListDatabase,
  endpoints: readonly Endpoint[],
  withApi: (use: (url: string) => Promise<void>) => Promise<void>,
): Promise<string> {
  const logFile = join(dir, "postgres", "postgres.log");
  const set = (statements: string[]) =>
    withClient(database.ownerUrl, async (client) => {
      for (const statement of statements)
        await client.query(`alter database ${database.name} ${statement}`);
    });
  await set(Object.entries(settings).map(([name, value]) => `set ${name} = '${value}'`));
  const parts: string[] = [];
  await withApi(async (url) => {
    for (const endpoint of endpoints)
      for (let n = 0; n < requestsEach; n++) {
        const before = (await readFile(logFile, "utf8")).length;
        const { path, headers } = endpoint.request(database, 4 * n);
        await (await fetch(url + path, { headers })).text();
        const log = (await readFile(logFile, "utf8")).slice(before);
        parts.push(`## ${endpoint.name}: GET ${path}\n${plansIn(log).join("\n")}`);
      }
  });
  await set(Object.keys(settings).map((name) => `reset ${name}`));
  return parts.join("\n\n");
}

/** Returns the log entries that contain a plan; continued lines begin with a tab. */
function plansIn(log: string): string[] {
  return log
    .split(/\n(?!\t)/)
    .filter((entry) => entry.includes(" plan:"))
    .map((entry) => entry.replace(/^.*?duration: /, "").replaceAll("\n\t", "\n"))
    .filter((entry) => !/find caller|from api_keys k join/.test(entry));
}
