import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { childEnv } from "@zoetrope/dev/services/command-line.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import type { CheckLine, Settings } from "../scenario/settings.ts";
import type { Service } from "../start-service.ts";
import { type Folder, pagePolicy } from "./prepare-folder.ts";
import type { Runtime } from "./runtimes.ts";

export type Sizes = Pick<Settings, "creates" | "batch" | "aborts">;

/** Only what hangs reaches it. */
const runMsMax = 300_000;
const credits = 100_000;
const openTasksMax = 1_000;

/** Runs the scenario in a runtime, with separate accounts, and counts what its creates have made. */
export async function runRuntime(
  runtime: Runtime,
  { stack, proxy }: Service,
  { dir, nonce, imageBase64 }: Folder,
  sizes: Sizes,
): Promise<CheckLine[]> {
  const open = (account: { credits: number; openTasksMax: number }) =>
    stack.openAccount({ name: runtime.name, ...account });
  const [usual, counted, poor, limited] = await Promise.all([
    open({ credits, openTasksMax }),
    open({ credits, openTasksMax }),
    open({ credits: 1, openTasksMax }),
    open({ credits, openTasksMax: 3 }),
  ]);
  const settings: Settings = {
    baseUrl: proxy.url,
    faultyUrl: `${proxy.url}/faulty`,
    foreignUrl: runtime.isBrowser ? stack.apiUrl : null,
    dir: runtime.isBrowser ? null : dir,
    keys: { usual: usual.key, counted: counted.key, poor: poor.key, limited: limited.key },
    imageBase64,
    ...sizes,
  };
  if (runtime.isBrowser) {
    await writeFile(join(dir, "settings.json"), JSON.stringify(settings));
    const policy = pagePolicy(nonce, stack.apiUrl);
    proxy.page = { dir, headers: { "content-security-policy": policy } };
  }
  const lines = await runCommand(runtime, dir, {
    CLIENT_SETTINGS: JSON.stringify(settings),
    PAGE_URL: `${proxy.url}/page/index.html`,
    DENO_DIR: join(dir, "deno"),
    DENO_NO_UPDATE_CHECK: "1",
  });
  const { refusals } = proxy.seenOf(limited.key);
  return [
    ...lines,
    await countCreates(stack.databaseOwnerUrl, counted.accountId, lines),
    { check: "the batch sees no 429", ok: refusals === 0, ms: 0 },
  ];
}

async function runCommand(
  { name, command, args }: Runtime,
  dir: string,
  env: Record<string, string>,
): Promise<CheckLine[]> {
  const child = spawn(command, args(dir), {
    cwd: dir,
    env: childEnv(env),
    stdio: ["ignore", "pipe", "pipe"],
    signal: AbortSignal.timeout(runMsMax),
    killSignal: "SIGKILL",
  });
  const ended = once(child, "close");
  const complaints = text(child.stderr);
  const lines: CheckLine[] = [];
  for await (const line of createInterface({ input: child.stdout }))
    lines.push(JSON.parse(line) as CheckLine);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${await complaints}`);
  return lines;
}

/** The service's own view: as many tasks as logical creates, and the same ones. */
async function countCreates(
  databaseUrl: string,
  accountId: string,
  lines: readonly CheckLine[],
): Promise<CheckLine> {
  const { rows } = await withClient(databaseUrl, (db) =>
    db.query<{ id: string }>("select id from tasks where account_id = $1", [accountId]),
  );
  const made = new Set(rows.map(({ id }) => id));
  const known = lines.flatMap(({ taskIds = [] }) => taskIds);
  const ok = known.length > 0 && made.size === known.length && known.every((id) => made.has(id));
  const check = "the service has no task that no create answered";
  const error = `${made.size} tasks of ${known.length} creates`;
  return { check, ok, ms: 0, ...(ok ? {} : { error }) };
}
