import assert from "node:assert";
import { join } from "node:path";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { type Clause, clauses } from "./clauses.ts";
import { startDns } from "./dns-server.ts";
import { type Edit, type EditedServer, openEditedServer } from "./edited-server.ts";
import { judgeRows } from "./judge-rows.ts";
import { ownNetwork } from "./own-network.ts";
import { ownRows } from "./own-rows.ts";
import { portsIn, proveTrap } from "./prove-trap.ts";
import { openPublicHost } from "./public-host.ts";
import { type EntryPointName, type Row, readCorpus } from "./rows.ts";
import { awaitEnds, sendRows } from "./send-rows.ts";
import { settingsFor } from "./settings-for.ts";
import { setTrap, type Trap } from "./trap.ts";

/** Longer than a file may take at any rate, and than two attempts of a callback. */
const endMsMax = 45_000;
const entryPointsUsual: readonly EntryPointName[] = ["image", "callback"];

interface Bench {
  server: EditedServer;
  stack: Stack;
  trap: Trap;
}

interface Outcome {
  /** Rows with a wrong outcome. */
  wrong: string[];
  connections: number;
  requests: number;
  /** The first fault, for people. */
  example: string;
}

/** Takes each clause of the guard away in turn, in a copy of the server that runs in a namespace. */
export async function proveClauses(): Promise<boolean> {
  await using scratch = await makeScratch("guards");
  await ownNetwork(scratch.path);
  const known = new Map([...(await readCorpus()), ...ownRows].map((row) => [row.id, row]));
  await using _dns = await startDns();
  const host = await openPublicHost(scratch.path);
  const ports = portsIn([...known.values()]);
  await using trap = await setTrap(ports, host);
  await proveTrap(trap, ports);
  const server = await openEditedServer(join(scratch.path, "server"));
  for (const { needs = [], off } of clauses) await server.edit([...needs, off]); // all texts are there
  await server.edit([]);
  const dir = scratch.path;
  await using stack = await startStack({ dir, serverDir: server.dir, ...settingsFor(host.caFile) });
  const bench = { server, stack, trap };

  const ids = new Set(clauses.flatMap(({ rows }) => rows.filter((row) => typeof row === "string")));
  const whole = await run(
    bench,
    [],
    [...ids].map((id) => rowOf(id, known)),
  );
  const isWhole = whole.wrong.length === 0 && whole.connections === 0;
  print(`the whole guard: rows=${ids.size} ${inShort(whole)} ${isWhole ? "" : whole.example}`);
  let proven = 0;
  for (const clause of clauses) if (await prove(bench, clause, known)) proven += 1;
  print(`clauses=${clauses.length} proven=${proven}`);
  return isWhole && proven === clauses.length;
}

async function prove(bench: Bench, clause: Clause, known: ReadonlyMap<string, Row>) {
  const { name, needs = [], off, entryPoints = entryPointsUsual, measure } = clause;
  const rows = clause.rows.map((row) => {
    const { id, url, verdicts } = typeof row === "string" ? rowOf(row, known) : row;
    const wanted = Object.entries(verdicts).filter(([entryPoint]) =>
      entryPoints.some((one) => one === entryPoint),
    );
    return { id, url, verdicts: Object.fromEntries(wanted) };
  });
  const amountIn = ({ wrong, connections, requests }: Outcome) =>
    measure === "connections"
      ? connections
      : measure === "requests"
        ? requests
        : wrong.length + connections;
  const before = needs.length === 0 ? null : await run(bench, needs, rows);
  const after = await run(bench, [...needs, off], rows);
  const isProven = (before === null || amountIn(before) === 0) && amountIn(after) > 0;
  print(`clause ${name}: ${inShort(after)}${isProven ? "" : "  NOT PROVEN"}`);
  if (before !== null)
    print(`       with it, and without what it stands behind: ${inShort(before)}`);
  print(`       ${after.example}`);
  return isProven;
}

function rowOf(id: string, known: ReadonlyMap<string, Row>): Row {
  const row = known.get(id);
  assert(row !== undefined, `there is no row ${id}`);
  return row;
}

function inShort({ wrong, connections, requests }: Outcome): string {
  return `rows let through=${wrong.length} connections=${connections} requests=${requests}`;
}

/** Restarts the service with these edits, and sends it the rows. */
async function run(bench: Bench, edits: readonly Edit[], rows: readonly Row[]): Promise<Outcome> {
  const { server, stack, trap } = bench;
  await Promise.all([stack.api.kill(), stack.worker.kill()]);
  await forgetOpenWork(stack);
  await server.edit(edits);
  await Promise.all([stack.api.restart(), stack.worker.restart()]);
  trap.forget();
  const sent = await sendRows(stack, rows);
  assert(sent.length > 0);
  const judged = judgeRows(sent, await awaitEnds(stack, endMsMax, "go on"));
  const wrong = judged.filter(({ violation }) => violation !== null);
  const [caught] = trap.caught;
  const example = [
    ...wrong
      .slice(0, 1)
      .map((one) => `${one.sent.row.id} ${one.sent.entryPoint}: ${one.violation}`),
    ...(caught === undefined ? [] : [`connected to ${caught.address} ${caught.port}`]),
  ];
  return {
    wrong: [...new Set(wrong.map(({ sent: { row } }) => row.id))],
    connections: trap.caught.length,
    requests: trap.caught.filter(({ firstBytes }) => firstBytes !== "").length,
    example: example.join("; "),
  };
}

/** Deletes the work that one set of edits left waiting: it must not be done under the next. */
async function forgetOpenWork(stack: Stack): Promise<void> {
  await withClient(stack.databaseOwnerUrl, async (db) => {
    await db.query("delete from open_deliveries");
    await db.query("delete from open_tasks");
    await db.query("update assets set status = 'FAILED' where status = 'PROCESSING'");
  });
}
