import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { childEnv } from "@zoetrope/dev/services/command-line.ts";
import type { FreshDatabase } from "./fresh-database.ts";

const run = promisify(execFile);
const operator = fileURLToPath(new URL("../../src/operator/main.ts", import.meta.url));

/** Runs a command as an operator would, in a separate process. Returns its output and its exit code. */
export async function operateOn(
  database: FreshDatabase,
  more: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; text: string }> {
  const urls = { DATABASE_URL: database.serviceUrl, DATABASE_OWNER_URL: database.ownerUrl };
  const env = childEnv({ ...urls, ...more });
  try {
    const { stdout } = await run(process.execPath, [operator, ...args], { env });
    return { code: 0, text: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, text: stdout + stderr };
  }
}
