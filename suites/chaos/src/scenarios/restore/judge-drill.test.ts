import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EndedTask, judgeDrill } from "./judge-drill.ts";

let scratch: Scratch;
beforeAll(async () => {
  scratch = await makeScratch("judge");
});
afterAll(() => scratch.remove());

const sent = [
  { taskId: "early", mark: "drill-000.", isLate: false },
  { taskId: "late", mark: "drill-001.", isLate: true },
];
const completed: EndedTask = {
  id: "early",
  status: "COMPLETED",
  errorCode: null,
  captures: 1,
  releases: 0,
  jobIds: ["job-0"],
};
const paidFor = (mark: string, jobId: string | null) => ({
  event: "create",
  accepted: true,
  jobId,
  prompt: `${mark} a lighthouse`,
});
const usual = [paidFor("drill-000.", "job-0"), paidFor("drill-001.", "job-1")];

/** The verdict on a drill in which one thing went another way. */
async function judge(change: {
  tasks?: EndedTask[];
  paid?: ReturnType<typeof paidFor>[];
  reconciled?: string;
}) {
  const { tasks = [completed], paid = usual, reconciled = "job without a task ark job-1" } = change;
  const journal = join(scratch.path, "journal.jsonl");
  await writeFile(journal, paid.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { lost, doubled, ...counts } = await judgeDrill(sent, tasks, journal, reconciled);
  return { ...counts, lost: lost.length, doubled: doubled.length };
}

test("a drill after which every task and job is accounted for has lost and doubled nothing", async () => {
  expect(await judge({})).toEqual({ known: 1, completed: 1, gone: 1, lost: 0, doubled: 0 });
});

test("a task from before the point that is missing or still open is lost", async () => {
  expect(await judge({ tasks: [] })).toMatchObject({ lost: 2 }); // and its job with it
  expect(await judge({ tasks: [{ ...completed, status: "PROCESSING" }] })).toMatchObject({
    lost: 1,
  });
});

test("a job that neither a task nor a line of reconcile names is lost", async () => {
  expect(await judge({ reconciled: "" })).toMatchObject({ lost: 1, doubled: 0 });
});

test("a result of a task that is gone, which came with the answer, is lost", async () => {
  expect(await judge({ paid: [...usual, paidFor("drill-001.", null)] })).toMatchObject({ lost: 1 });
});

test("a task that was made twice, charged twice, or charged although it failed is doubled", async () => {
  const again = [...usual, paidFor("drill-000.", null)];
  expect(await judge({ paid: again })).toMatchObject({ doubled: 1 });
  expect(await judge({ tasks: [{ ...completed, captures: 2 }] })).toMatchObject({ doubled: 1 });
  expect(await judge({ tasks: [{ ...completed, status: "FAILED" }] })).toMatchObject({
    doubled: 1,
  });
});
