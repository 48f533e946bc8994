import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { selectTests } from "./select-tests.ts";

const files = execFileSync("git", ["ls-files"], { encoding: "utf8" }).trim().split("\n");

test.each([
  [["packages/server/src/credits/post.ts"], { has: "packages/server/", lacks: "packages/sdk/" }],
  [["packages/console/src/main.tsx"], { has: "packages/console/", lacks: "packages/server/" }],
  [["docs/webhooks.md"], { has: "packages/console/", lacks: "packages/server/" }],
  [["packages/python/README.md"], { has: "packages/python/", lacks: "packages/server/" }],
  [
    ["docs/webhooks.md", "packages/server/src/log.ts"],
    { has: "packages/console/", lacks: "packages/sdk/" },
  ],
])("a change of %j runs what it can break and no more", (changed, { has, lacks }) => {
  const selection = selectTests(changed);
  expect(selection).toContain(has);
  expect(selection).not.toContain(lacks);
});

test.each([
  ["an unknown change", undefined],
  ["a route", ["packages/server/src/accounts/routes.ts"]],
  ["the codes of errors", ["packages/server/src/errors.ts"]],
  ["the lockfile", ["docs/webhooks.md", "package-lock.json"]],
  ["the sandbox", ["packages/sandbox/src/main.ts"]],
])("%s can break everything", (_name, changed) => {
  expect(selectTests(changed)).toBe("everything");
});

test("a change of a test runs it", () => {
  const missed = files
    .filter((file) => file.endsWith(".test.ts") && !file.startsWith("suites/acceptance/"))
    .filter((file) => {
      const selection = selectTests([file]);
      return selection !== "everything" && !selection.some((filter) => file.includes(filter));
    });
  expect(missed).toEqual([]);
});

test("a change of a document runs the tests that read it", () => {
  const tests = files.filter((file) => /^(packages|examples|tools)\/.*\.test\.ts$/.test(file));
  const reads = tests.flatMap((file) => {
    const source = execFileSync("git", ["show", `:${file}`], { encoding: "utf8" });
    const paths = source.matchAll(/"(?:\.\.\/)*(?<document>docs\/[\w/-]+\.md)"/g);
    return [...paths].map(({ groups }) => ({ file, document: groups?.["document"] ?? "" }));
  });
  expect(reads.length).toBeGreaterThan(5);
  const missed = reads.filter(
    ({ file, document }) =>
      !(selectTests([document]) as string[]).some((filter) => file.includes(filter)),
  );
  expect(missed).toEqual([]);
});

test("every filter selects something that exists", () => {
  const filters = new Set(
    files
      .map((file) => selectTests([file]))
      .filter((one) => one !== "everything")
      .flat(),
  );
  const unused = [...filters].filter((filter) => !files.some((file) => file.startsWith(filter)));
  expect(unused).toEqual([]);
});
