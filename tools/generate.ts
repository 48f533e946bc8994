import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const node = process.execPath;

/** What writes files that are made from code or from other such files, in the order in which they depend. */
const steps: readonly (readonly string[])[] = [
  [node, "packages/server/src/docs/write-docs.ts"],
  [node, "packages/server/test/authorisation/page.ts"],
  ...(existsSync(`${root}tools/openapi/node_modules`)
    ? []
    : [["npm", "ci", "--prefix", "tools/openapi", "--loglevel=error"]]),
  [node, "tools/openapi/write-sdk-types.ts"],
  ["python3", "packages/python/tools/write_types.py"],
  ["python3", "packages/python/tools/write_client.py"],
  [node, "suites/alerts/src/write-monitoring.ts"],
];
for (const [program = "", ...args] of steps) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error(`${[program, ...args].join(" ")} failed`, { cause: error });
}
