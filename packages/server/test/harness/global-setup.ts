import { prepareDatabase } from "@zoetrope/dev/prepare-database.ts";
import { startPostgres } from "@zoetrope/dev/services/postgres.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    postgresPort: number;
  }
}

/** The database that every test's own database is a copy of. */
export const templateName = "zoetrope_template";

/** One PostgreSQL for all database tests, with a migrated template. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scratch = await makeScratch("tests");
  const postgres = await startPostgres({
    dir: scratch.path,
    settings: { max_connections: 300, fsync: "off" }, // nothing here survives a power cut anyway
  });
  await prepareDatabase(postgres, templateName);
  project.provide("postgresPort", postgres.port);
  return async () => {
    await postgres.stop();
    await scratch.remove();
  };
}
