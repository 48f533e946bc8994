import assert from "node:assert";
import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import { openAccounts } from "@zoetrope/testkit/open-accounts.ts";
import { waitUntil } from "@zoetrope/testkit/services/wait-until.ts";
import { withClient } from "@zoetrope/testkit/services/with-client.ts";
import type { Stack } from "@zoetrope/testkit/stack.ts";
import { callApi } from "../../kit/call-api.ts";
import { doors, type Ends, type EntryPoint, readEnds } from "./entry-points.ts";
import { type EntryPointName, entryPointNames, type Row } from "./rows.ts";

const atOnceMax = 8;
const roundsMax = 2;

export interface Sent {
  row: Row;
  door: EntryPointName;
  status: number | "none";
  /** Of the task or asset, where it was let in. */
  id: string | null;
  reason: string | null;
}

/** Sends each row to the doors it has a verdict for; a row that is there twice, in two ways. */
export async function sendRows(stack: Stack, rows: readonly Row[]): Promise<Sent[]> {
  const [account] = await openAccounts(stack.databaseOwnerUrl, [
    { name: "ssrf", credits: 1_000_000_000, openTasksMax: 1_000_000 },
  ]);
  assert(account !== undefined);
  const seen = new Map<string, number>();
  const sent = await inParallel(atOnceMax, rows, async (row) => {
    const round = seen.get(row.id) ?? 0;
    seen.set(row.id, round + 1);
    assert(round < roundsMax);
    const answers: Sent[] = [];
    for (const name of entryPointNames.filter((door) => row.verdicts[door] !== undefined))
      answers.push(await sendOne(stack.apiUrl, account.key, { row, name, round }));
    return answers;
  });
  return sent.flat();
}

async function sendOne(
  apiUrl: string,
  key: string,
  { row, name, round }: { row: Row; name: EntryPointName; round: number },
): Promise<Sent> {
  const door: EntryPoint = doors[name];
  const answer = await callApi(apiUrl, { ...door.callOf(row.url, round), key });
  if (answer === "none") return { row, door: name, status: "none", id: null, reason: null };
  const body = answer.body as Record<string, unknown>;
  const { status } = answer;
  if (status === 200) return { row, door: name, status, id: door.idOf(body), reason: null };
  return { row, door: name, status, id: null, reason: JSON.stringify(body) };
}

/** Waits until nothing is under way any more, and tells what became of everything. */
export async function awaitEnds(
  stack: Stack,
  endMsMax: number,
  whenLate: "throw" | "go on" = "throw",
): Promise<Record<EntryPointName, Ends>> {
  return withClient(stack.databaseOwnerUrl, async (db) => {
    const isOver = async () => {
      const counts = entryPointNames.map((name) => `(${doors[name].open})`);
      const { rows } = await db.query<{ open: number }>(`select ${counts.join(" + ")} as open`);
      return rows[0]?.open === 0;
    };
    await waitUntil("nothing is under way at any door", isOver, {
      timeoutMs: endMsMax,
      intervalMs: 200,
    }).catch((error: unknown) => {
      if (whenLate === "throw") throw error;
    });
    return {
      image: await readEnds(db, doors.image),
      asset: await readEnds(db, doors.asset),
      callback: await readEnds(db, doors.callback),
      upscale: await readEnds(db, doors.upscale),
    };
  });
}
