import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, test } from "vitest";
import { clauses } from "./clauses.ts";
import { openEditedServer } from "./edited-server.ts";
import { ownRows } from "./own-rows.ts";
import { entryPointNames, readCorpus } from "./rows.ts";

const guardFile = "media/fetch/public-address.ts";

test("every clause of the list is in the server's source, once", async () => {
  await using scratch = await makeScratch("clauses");
  const server = await openEditedServer(join(scratch.path, "server"));
  for (const { needs = [], off } of clauses) await server.edit([...needs, off]);
});

test.each([
  ["is not there", "isPublic(", 0],
  ["is there twice", "ipaddr.parseCIDR(", 3],
])("a text that %s is an error", async (_what, text, times) => {
  await using scratch = await makeScratch("clauses");
  const server = await openEditedServer(join(scratch.path, "server"));
  const edited = server.edit([{ file: guardFile, text, instead: "" }]);
  await expect(edited).rejects.toThrow(`${guardFile} has ${times} times, not once: ${text}`);
});

test("an edit is gone when the next one is made", async () => {
  await using scratch = await makeScratch("clauses");
  const server = await openEditedServer(join(scratch.path, "server"));
  const path = join(server.dir, "src", guardFile);
  const before = await readFile(path, "utf8");
  await server.edit([{ file: guardFile, text: '"2001::/23"', instead: '"2001::/24"' }]);
  expect(await readFile(path, "utf8")).toBe(before.replace("2001::/23", "2001::/24"));
  await server.edit([]);
  expect(await readFile(path, "utf8")).toBe(before);
});

test("every row that a clause names is there, and has a verdict at one of its entry points", async () => {
  const known = new Map([...(await readCorpus()), ...ownRows].map((row) => [row.id, row]));
  for (const { name, rows, entryPoints = entryPointNames } of clauses)
    for (const row of rows) {
      const { verdicts = {} } = (typeof row === "string" ? known.get(row) : row) ?? {};
      const judged = entryPoints.filter((entryPoint) => verdicts[entryPoint] !== undefined);
      expect(judged, `${name}: ${JSON.stringify(row)}`).not.toEqual([]);
    }
});
