import { execFileSync } from "node:child_process";

/** Filters of vitest for the tests that a change can break. */
export type Selection = readonly string[] | "everything";

interface Rule {
  readonly changed: RegExp;
  readonly tests: Selection;
}

/** Tests that run at every change. Of the journeys six run, unless all of `packages/console/` is selected. */
const always = [
  "packages/console/test/journeys.test.ts",
  "tools/check-layers.test.ts",
  "tools/endpoint/patch.test.ts",
  "tools/markdown-links.test.ts",
  "tools/openapi/",
  "tools/pack/",
  "tools/select-tests.test.ts",
  "tools/suites.test.ts",
];

/** The first rule that matches a file counts. A file that no rule matches can break everything. */
const rules: readonly Rule[] = [
  {
    changed: /^(docs\/.*|[A-Z]+\.md)$/,
    tests: [
      "examples/",
      "packages/ai-sdk/",
      "packages/cli/",
      "packages/console/",
      "packages/server/src/docs/",
      "packages/server/src/labels/documented-commands.test.ts",
      "packages/server/test/authorisation/",
      "packages/server/test/document",
      "packages/server/test/pooler.test.ts",
      "packages/server/test/traces.test.ts",
      "tools/endpoint/",
    ],
  },
  { changed: /^packages\/console\//, tests: ["packages/console/"] },
  {
    changed: /^(examples|suites\/clients|packages\/(sdk|mcp|ai-sdk|cli|python))\//,
    tests: [
      "examples/",
      "packages/ai-sdk/",
      "packages/cli/",
      "packages/console/",
      "packages/dev/",
      "packages/mcp/",
      "packages/python/",
      "packages/sdk/",
      "packages/server/test/document",
      "suites/",
      "tools/clients/",
      "tools/endpoint/",
    ],
  },
  {
    // the interface, against which the clients and the console are written
    changed:
      /^packages\/server\/(package\.json|src\/(errors\.ts|(api|http|live|people)\/.*|.*(routes|schema)\.ts))$/,
    tests: "everything",
  },
  { changed: /^packages\/server\/src\/metrics\//, tests: "everything" },
  {
    changed: /^packages\/server\//, // of which the alerts know the metrics alone
    tests: [
      "packages/dev/",
      "packages/reviewer/",
      "packages/server/",
      "packages/signer/",
      "suites/bench/",
      "suites/chaos/",
      "tools/deploy/",
    ],
  },
  { changed: /^suites\/acceptance\//, tests: [] }, // `.ci/run` runs it at every change
  { changed: /^suites\//, tests: ["suites/"] },
];

/** Selects the tests of what has changed; `undefined` if nobody knows what has. */
export function selectTests(changed: readonly string[] | undefined): Selection {
  if (changed === undefined) return "everything";
  const selected = new Set(always);
  for (const file of changed) {
    const tests = rules.find((rule) => rule.changed.test(file))?.tests ?? "everything";
    if (tests === "everything") return "everything";
    for (const filter of tests) selected.add(filter);
  }
  return [...selected].sort();
}

/** Reads which files differ from a commit before HEAD. */
function readChanged(green: string | undefined): string[] | undefined {
  if (!green) return undefined;
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8", stdio: "pipe" });
  try {
    git("merge-base", "--is-ancestor", green, "HEAD");
    return git("diff", "--name-only", "--no-renames", green, "HEAD").split("\n").filter(Boolean);
  } catch {
    return undefined;
  }
}

/** Prints the filters, a line each, or nothing if everything is to be tested. */
if (import.meta.main) {
  const green = process.argv[2];
  const selection = selectTests(readChanged(green));
  if (selection === "everything")
    process.stderr.write(
      `Since ${green || "an unknown commit"} anything may have changed: everything is tested\n`,
    );
  else process.stdout.write(`${selection.join("\n")}\n`);
}
