import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyRepository } from "./copy-repository.ts";
import { runIn } from "./run-in.ts";

/** The changes that add `GET /api/v1/jobs/count`, in the form in which git shows them. */
const fixture = fileURLToPath(new URL("jobs-count.patch", import.meta.url));
const filesMax = 10;
/** The files that `npm run generate` writes for an endpoint. */
const generated = [
  "docs/generated/authorisation.md",
  "docs/generated/endpoints.md",
  "docs/generated/openapi.json",
  "packages/python/src/zoetrope/_blocking.py",
  "packages/python/src/zoetrope/types.py",
  "packages/sdk/src/generated.ts",
  "packages/sdk/src/query-names.ts",
];

let scratch: Scratch;
let copy: string;
let byHand: string[];
beforeAll(async () => {
  scratch = await makeScratch("endpoint");
  copy = join(scratch.path, "copy");
  await copyRepository(copy);
  // A line of context is enough: other changes of the same files do not matter.
  await runIn(copy, "git", ["apply", "-C1", "--index", fixture]);
  byHand = lines(await runIn(copy, "git", ["diff", "--name-only", "--cached"]));
  await runIn(copy, "npm", ["run", "-s", "generate"]);
});
afterAll(() => scratch.remove());

const lines = (text: string) => text.split("\n").filter(Boolean);
const readCopy = (file: string) => readFile(join(copy, file), "utf8");

test("an endpoint is at most ten files by hand, and one command writes what else changes", async () => {
  expect(byHand.length).toBeLessThanOrEqual(filesMax);
  expect(byHand.filter((file) => generated.includes(file))).toEqual([]);
  expect(lines(await runIn(copy, "git", ["diff", "--name-only"])).toSorted()).toEqual(generated);
  expect(lines(await runIn(copy, "git", ["ls-files", "-o", "--exclude-standard"]))).toEqual([]);
});

test("docs/adding-an-endpoint.md names the files that are written by hand, and no more of them", async () => {
  const page = await readCopy("docs/adding-an-endpoint.md");
  const numbers = [...page.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
  expect(numbers).toEqual(byHand.map((_, at) => at + 1));
});

test("the endpoint is in OpenAPI, the documents, the table of authorisation and both clients", async () => {
  const { paths } = JSON.parse(await readCopy("docs/generated/openapi.json"));
  expect(paths["/api/v1/jobs/count"].get.operationId).toBe("countTasks");
  expect(await readCopy("docs/generated/endpoints.md")).toContain("### GET /api/v1/jobs/count");
  expect(await readCopy("docs/generated/authorisation.md")).toContain("| `GET /api/v1/jobs/count`");
  expect(await readCopy("packages/sdk/src/generated.ts")).toContain("interface CountTasksAnswer");
  expect(await readCopy("packages/python/src/zoetrope/types.py")).toContain(
    "class CountTasksQuery",
  );
  expect(await readCopy("packages/python/src/zoetrope/_blocking.py")).toContain("def count(self");
});

test("its types are right, and a client calls it", async () => {
  const config = {
    extends: "./tsconfig.json",
    files: byHand.filter((file) => file.endsWith(".ts")),
    include: ["packages/server/src/**/*.d.ts", "packages/server/test/harness/global-setup.ts"],
  };
  await writeFile(join(copy, "tsconfig.part.json"), JSON.stringify(config));
  await runIn(copy, "node_modules/.bin/tsc", ["--noEmit", "-p", "tsconfig.part.json"]);
  const program = `
    import { Zoetrope } from "./packages/sdk/src/index.ts";
    const fetch = async (url) => (console.log(url), Response.json({ open: 2 }));
    const client = new Zoetrope({ baseUrl: "http://127.0.0.1", apiKey: "zoe_test_none", fetch });
    console.log((await client.tasks.count({ kind: "upscale" })).open);
    await client.tasks.count({ sort: "upscale" }).catch(({ code }) => console.log(code));`;
  const printed = await runIn(copy, process.execPath, ["--input-type=module", "-e", program]);
  expect(lines(printed)).toEqual([
    "http://127.0.0.1/api/v1/jobs/count?kind=upscale",
    "2",
    "unknown_option",
  ]);
});

test("it answers over PostgreSQL, to every kind of caller as its row says, and nothing that is generated is stale", async () => {
  const names = [
    "are counted by kind",
    "is a 400 that names it",
    "has a row in the table",
    "is answered at every endpoint",
    "is the table",
    "is what the code says",
    "is what the OpenAPI document says",
    "has a description",
  ];
  const files = [
    "packages/server/src/history/count-tasks.db.test.ts",
    "packages/server/src/docs/docs.test.ts",
    "packages/server/test/authorisation/authorisation.test.ts",
    "tools/openapi/sdk-types.test.ts",
  ];
  const report = join(scratch.path, "report.json");
  const how = ["--maxWorkers=1", "--reporter=dot", "--reporter=json", `--outputFile=${report}`];
  const only = ["--testNamePattern", names.join("|")];
  await runIn(copy, "node_modules/.bin/vitest", ["run", ...files, ...only, ...how]);
  const { testResults } = JSON.parse(await readFile(report, "utf8")) as {
    testResults: { assertionResults: { title: string; status: string }[] }[];
  };
  const passed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "passed")
    .map(({ title }) => title);
  expect(testResults).toHaveLength(files.length);
  for (const name of names)
    expect(
      passed.filter((title) => title.includes(name)),
      name,
    ).not.toEqual([]);
});
