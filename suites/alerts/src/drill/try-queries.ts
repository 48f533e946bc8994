import { readFile } from "node:fs/promises";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { runbook } from "../alerts/render-rules.ts";
import { pathOf } from "../monitoring-files.ts";

/** The statements and expressions of the runbook, as they are written there. */
async function readQueries(): Promise<{ sql: string[]; promql: string[] }> {
  const text = await readFile(pathOf(runbook), "utf8");
  const blocks = (language: string) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(
      ([, block = ""]) => block,
    );
  return {
    sql: blocks("sql"),
    promql: blocks("promql").flatMap((block) => block.trim().split("\n")),
  };
}

/** Runs every query of the runbook, as the service's role may; returns those that are refused. */
export async function tryQueries(databaseUrl: string, prometheusUrl: string): Promise<string[]> {
  const { sql, promql } = await readQueries();
  const refused: string[] = [];
  await withClient(databaseUrl, async (db) => {
    for (const query of sql)
      await db.query(query).catch((error: unknown) => refused.push(`${error}: ${query}`));
  });
  for (const query of promql) {
    const response = await fetch(`${prometheusUrl}/api/v1/query`, {
      method: "POST",
      body: new URLSearchParams({ query }),
    });
    if (!response.ok) refused.push(`${await response.text()}: ${query}`);
  }
  if (sql.length === 0 || promql.length === 0) refused.push("the runbook has no queries");
  return refused;
}
