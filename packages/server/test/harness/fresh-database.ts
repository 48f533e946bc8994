import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { inject } from "vitest";

export interface FreshDatabase {
  /** The URL of the service's role, with the same rights as in production. */
  serviceUrl: string;
  ownerUrl: string;
  /** One statement as the owner, for reading rows and for moving time. */
  sql<Row extends object = Record<string, unknown>>(
    text: string,
    values?: unknown[],
  ): Promise<Row[]>;
  drop(): Promise<void>;
}

/** A database of the test's own, migrated and empty. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const at = (user: string, database: string) =>
    `postgres://${user}@127.0.0.1:${inject("postgresPort")}/${database}`;
  await once(at("postgres", "postgres"), `create database ${name} template zoetrope_template`);
  const owner = new Client({ connectionString: at("postgres", name) });
  await owner.connect();
  let last: Promise<unknown> = Promise.resolve();
  return {
    serviceUrl: at("zoetrope_app", name),
    ownerUrl: at("postgres", name),
    async sql<Row extends object>(text: string, values: unknown[] = []) {
      const result = last.then(() => owner.query<Row>(text, values));
      last = result.catch(() => undefined); // the driver takes one statement at a time
      return (await result).rows;
    },
    async drop() {
      await owner.end();
      await once(at("postgres", "postgres"), `drop database ${name} with (force)`);
    },
  };
}

async function once(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
