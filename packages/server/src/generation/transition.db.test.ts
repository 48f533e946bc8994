import assert from "node:assert";
import { randomUUID } from "node:crypto";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import type { Caller } from "../accounts/queries.ts";
import type { StoredMedia } from "../db/tables/tasks.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { findOpenTask } from "../tasks/open-task-queries.ts";
import type { VendorAccount } from "../vendors/vendor.ts";
import { createTask } from "./create-task.ts";
import { type EventName, type Submit, transition } from "./transition.ts";

/** The tables of README.md, read and caused: the state of a row × an event → the state after it. */
const readme = await readFile(join(import.meta.dirname, "README.md"), "utf8");

interface Row {
  event: string;
  /** The state before → the state after; empty: the row stays as it is. */
  cells: [string, string][];
}

function linesOf(heading: string): string[][] {
  const section = readme.split(`# ${heading}\n`)[1]?.split("\n#")[0] ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("|"));
  return lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function tableOf(heading: string): Row[] {
  const [header = [], , ...rows] = linesOf(heading);
  return rows.map(([event = "", ...after]) => ({
    event,
    cells: after.map((state, index) => [header[index + 1] ?? "", state]),
  }));
}

/** The states in their order, with the statuses of their tasks. */
const states = linesOf("The states of a task's row")
  .slice(2)
  .map(([name = "", , jobs = "", output = ""]) => ({
    name: name.replaceAll("`", ""),
    status: { jobs: jobs.split(" or "), output: output.split(" or ") },
  }));

const kinds = [
  { kind: "jobs", model: "sd2", name: "ark", table: tableOf("A vendor with jobs") },
  {
    kind: "output",
    model: "image-pro-2",
    name: "openai",
    table: tableOf("A vendor that responds with the output"),
  },
] as const;
type Kind = (typeof kinds)[number];

let bed: TestBed;
let caller: Caller;
beforeAll(async () => {
  const nowhere = { baseUrl: "http://127.0.0.1:9", apiKey: "none" };
  const vendors = kinds.map(({ name }) => ({ name, kind: name, ...nowhere }));
  bed = await openTestBed({ VENDORS: JSON.stringify(vendors) });
  caller = await bed.openAccount({ credits: 1_000_000, openTasksMax: 1_000 });
});
afterAll(() => bed[Symbol.asyncDispose]());

/** A task, with the data that its events carry. */
interface Planted {
  submit: Submit;
  credits: number;
  vendorAccount: VendorAccount;
  claimId: string;
  jobId: string;
}

const end = { detail: null, resultUrl: null, failureCode: null };
const media: StoredMedia = {
  key: "key",
  contentType: "image/png",
  sizeBytes: 1,
  sha256: "00".repeat(32),
  width: 1,
  height: 1,
  durationMs: null,
};

/** How each event is caused. An event with two ends has two rows in the table. */
const events: Record<
  Exclude<EventName, "ended"> | "ended: succeeded" | "ended: failed" | "finished",
  (task: Planted) => Promise<unknown>
> = {
  postponed: ({ submit: { taskId } }) =>
    transition(bed.ctx, "postponed", { taskId, afterMs: 1_000 }),
  claimed: ({ submit, credits, vendorAccount, claimId }) =>
    transition(bed.ctx, "claimed", {
      task: { ...submit, credits },
      vendorAccount,
      claimId,
      graceMs: 1_000,
    }),
  abandoned: ({ submit: { taskId }, claimId }) =>
    transition(bed.ctx, "abandoned", { taskId, claimId }),
  returned: ({ submit }) =>
    transition(bed.ctx, "returned", { submit, outcome: "throttled", detail: "", afterMs: 1_000 }),
  accepted: ({ submit, jobId }) => transition(bed.ctx, "accepted", { submit, jobId }),
  found: ({ submit: { taskId, accountId }, jobId }) =>
    transition(bed.ctx, "found", { taskId, accountId, jobId }),
  unanswered: ({ submit, vendorAccount }) =>
    transition(bed.ctx, "unanswered", {
      submit,
      detail: "",
      hasJobs: vendorAccount.vendor.jobs !== null,
    }),
  kept: ({ submit }) => transition(bed.ctx, "kept", { submit, graceMs: 1_000 }),
  delivered: ({ submit }) => transition(bed.ctx, "delivered", { submit, media }),
  unusable: ({ submit }) => transition(bed.ctx, "unusable", { submit }),
  unchanged: ({ submit: { taskId } }) =>
    transition(bed.ctx, "unchanged", { taskIds: [taskId], afterMs: 1_000 }),
  "ended: succeeded": ({ submit: { taskId } }) =>
    transition(bed.ctx, "ended", [{ ...end, taskId, resultUrl: "https://vendor.example/x.mp4" }]),
  "ended: failed": ({ submit: { taskId } }) =>
    transition(bed.ctx, "ended", [{ ...end, taskId, failureCode: "vendor_failed" }]),
  "handed over": ({ submit: { taskId } }) => transition(bed.ctx, "handed over", { taskId }),
  finished: ({ submit: { taskId } }) =>
    finishTask(bed.ctx, taskId, { kind: "failed", code: "vendor_failed" }),
};

type EventRow = keyof typeof events;

function eventOf(name: string): (task: Planted) => Promise<unknown> {
  assert(Object.hasOwn(events, name), `README.md has the unknown event ${name}`);
  return events[name as EventRow];
}

/** The events that lead a new task to a state. */
const waysTo: Record<Kind["kind"], Record<string, EventRow[]>> = {
  jobs: {
    unsubmitted: [],
    claimed: ["claimed"],
    running: ["claimed", "accepted"],
    succeeded: ["claimed", "accepted", "ended: succeeded"],
    failed: ["claimed", "accepted", "ended: failed"],
    upscaling: ["claimed", "accepted", "ended: succeeded", "handed over"],
    over: ["finished"],
  },
  output: {
    unsubmitted: [],
    claimed: ["claimed"],
    delivered: ["claimed", "delivered"],
    failed: ["claimed", "unanswered"],
    over: ["finished"],
  },
};

async function plant({ kind, model, name }: Kind, state: string): Promise<Planted> {
  const { taskId } = await createTask(
    bed.ctx,
    caller,
    { model, inputs: { prompt: "a fox" } },
    null,
  );
  const open = await findOpenTask(bed.ctx.db, taskId);
  const vendorAccount = bed.ctx.vendors.get(name);
  const way = waysTo[kind][state];
  assert(open !== undefined && vendorAccount !== undefined && way !== undefined, state);
  const submit = { taskId, accountId: caller.id, startedAt: new Date(0) };
  const ids = { claimId: randomUUID(), jobId: randomUUID() };
  const task = { submit, credits: open.credits, vendorAccount, ...ids };
  for (const event of way) {
    const result = await eventOf(event)(task);
    if (result instanceof Date) submit.startedAt = result;
  }
  expect(stateOf(await rowOf(task))).toBe(state);
  const [row] = await bed.database.sql("select status from tasks where id = $1", [taskId]);
  const statuses = states.find((listed) => listed.name === state)?.status[kind];
  expect(statuses).toContain(row?.["status"]);
  return task;
}

type OpenRow = Record<string, unknown> | undefined;

async function rowOf({ submit }: Planted): Promise<OpenRow> {
  const [row] = await bed.database.sql("select * from open_tasks where task_id = $1", [
    submit.taskId,
  ]);
  return row;
}

/** Whether a row fits a state of the table in README.md. */
const fits: Record<string, (row: OpenRow) => boolean> = {
  unsubmitted: (row) => row?.["submit_started_at"] === null,
  claimed: (row) => row?.["submit_started_at"] instanceof Date,
  running: (row) => typeof row?.["vendor_job_id"] === "string",
  delivered: (row) => typeof row?.["delivered"] === "object" && row["delivered"] !== null,
  failed: (row) => typeof row?.["failure_code"] === "string",
  succeeded: (row) => typeof row?.["result_url"] === "string",
  upscaling: (row) => row?.["vendor_account"] === "upscaler",
  over: (row) => row === undefined,
};

function stateOf(row: OpenRow): string | undefined {
  return states.findLast(({ name }) => fits[name]?.(row))?.name;
}

test("the tables have every event, and every state that a row can be in", () => {
  const inTables = kinds.flatMap(({ table }) => table.map(({ event }) => event));
  expect([...new Set(inTables)].sort()).toEqual(Object.keys(events).sort());
  expect(states.map(({ name }) => name)).toEqual(Object.keys(fits));
  for (const { kind, table } of kinds)
    for (const { cells } of table)
      expect(cells.map(([state]) => state)).toEqual(Object.keys(waysTo[kind]));
});

describe.each(kinds)("a vendor that responds with $kind", (kind) => {
  test.each(kind.table.map((row) => [row.event, row.cells] as const))(
    "%s leads from each state to the one in its table, and otherwise leaves the row as it is",
    async (event, cells) => {
      for (const [before, after] of cells) {
        const task = await plant(kind, before);
        const row = await rowOf(task);
        await eventOf(event)(task);
        const changed = await rowOf(task);
        const what = `${event} × ${before}`;
        if (after === "") expect(changed, what).toEqual(row);
        else {
          expect(stateOf(changed), what).toBe(after);
          expect(changed, what).not.toEqual(row);
        }
      }
    },
  );

  const ofSubmits = ["abandoned", "returned", "accepted", "unanswered", "kept", "delivered"];
  const late = kind.table.filter(({ event }) => [...ofSubmits, "unusable"].includes(event));
  test.each(late.map((row) => [row.event, row.cells] as const))(
    "%s of an earlier submit leaves the row as it is in every state",
    async (event, cells) => {
      for (const [before] of cells) {
        const task = await plant(kind, before);
        const row = await rowOf(task);
        const startedAt = new Date(task.submit.startedAt.getTime() - 1);
        const earlier = { ...task, submit: { ...task.submit, startedAt }, claimId: randomUUID() };
        await eventOf(event)({ ...earlier, jobId: randomUUID() });
        expect(await rowOf(task), `${event} × ${before}`).toEqual(row);
      }
    },
  );
});

test("no other file of this folder changes the row of a task", async () => {
  const namesFromTasks = (text: string) =>
    [...text.matchAll(/import (?:type )?\{([^}]*)\} from "(?:\.\.\/)+tasks\/[^"]*"/g)].flatMap(
      ([, names = ""]) => names.split(",").map((name) => name.trim()),
    );
  const source = await readFile(join(import.meta.dirname, "transition.ts"), "utf8");
  const statements = namesFromTasks(source).filter((name) => /^[a-z]/.test(name));
  const writers = new Set(statements.filter((name) => !name.startsWith("type ")));
  expect(writers).toContain("claimSubmit");
  const others: string[] = [];
  for await (const file of glob("**/*.ts", { cwd: import.meta.dirname })) {
    if (file.endsWith(".test.ts") || file === "transition.ts") continue;
    const text = await readFile(join(import.meta.dirname, file), "utf8");
    for (const name of namesFromTasks(text)) if (writers.has(name)) others.push(`${file} ${name}`);
    if (/"open_tasks"|(update|delete from|insert into) open_tasks/.test(text)) others.push(file);
  }
  expect(others).toEqual([]);
});
