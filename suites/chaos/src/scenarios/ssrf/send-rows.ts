import assert from "node:assert";
import { openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import type { Stack } from "@zoetrope/dev/stack.ts";
import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import { type Answer, callApi } from "../../kit/call-api.ts";
import { type Ends, type EntryPoint, entryPoints, readEnds } from "./entry-points.ts";
import { type EntryPointName, entryPointNames, type Row } from "./rows.ts";

const atOnceMax = 8;
const roundsMax = 2;
const roomMsMax = 600_000;

export interface Sent {
  row: Row;
  entryPoint: EntryPointName;
  status: number | "none";
  /** The id of the task or asset, where it was let in. */
  id: string | null;
  reason: string | null;
}

/** Sends each row to the entry points it has a verdict for; a row that is there twice, in two ways. */
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
    for (const name of entryPointNames.filter(
      (entryPoint) => row.verdicts[entryPoint] !== undefined,
    ))
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
  const entryPoint: EntryPoint = entryPoints[name];
  const answer = await whenThereIsRoom(() =>
    callApi(apiUrl, { ...entryPoint.callOf(row.url, round), key }),
  );
  if (answer === "none") return { row, entryPoint: name, status: "none", id: null, reason: null };
  const body = answer.body as Record<string, unknown>;
  const { status } = answer;
  if (status === 200)
    return { row, entryPoint: name, status, id: entryPoint.idOf(body), reason: null };
  return { row, entryPoint: name, status, id: null, reason: JSON.stringify(body) };
}

/** Repeats a call as a client does: one that is over a limit is sent again until it is not. */
async function whenThereIsRoom(call: () => Promise<Answer>): Promise<Answer> {
  let answer: Answer = "none";
  const isDecided = async () => {
    answer = await call();
    return answer === "none" || answer.status !== 429;
  };
  await waitUntil("there is room", isDecided, { timeoutMs: roomMsMax, intervalMs: 200 });
  return answer;
}

/** Waits until nothing is under way any more, and gives what became of everything. */
export async function awaitEnds(
  stack: Stack,
  endMsMax: number,
  whenLate: "throw" | "go on" = "throw",
): Promise<Record<EntryPointName, Ends>> {
  return withClient(stack.databaseOwnerUrl, async (db) => {
    const isOver = async () => {
      const counts = entryPointNames.map((name) => `(${entryPoints[name].open})`);
      const { rows } = await db.query<{ open: number }>(`select ${counts.join(" + ")} as open`);
      return rows[0]?.open === 0;
    };
    await waitUntil("nothing is under way at any entry point", isOver, {
      timeoutMs: endMsMax,
      intervalMs: 200,
    }).catch((error: unknown) => {
      if (whenLate === "throw") throw error;
    });
    return {
      image: await readEnds(db, entryPoints.image),
      asset: await readEnds(db, entryPoints.asset),
      callback: await readEnds(db, entryPoints.callback),
      upscale: await readEnds(db, entryPoints.upscale),
    };
  });
}
