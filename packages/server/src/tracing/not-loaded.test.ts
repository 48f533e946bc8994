import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const roles = ["open-context.ts", "api/build-api.ts", "worker/start-worker.ts"].map(
  (path) => new URL(`../${path}`, import.meta.url).href,
);

/** Prints every module that api and worker load before they know their settings. */
const code = `
import { registerHooks } from "node:module";
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
for (const role of ${JSON.stringify(roles)}) await import(role);
console.log(JSON.stringify(loaded));`;

test("without an endpoint no code of traces is loaded", async () => {
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", code], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const loaded = JSON.parse(stdout) as string[];
  expect(loaded.some((url) => url.includes("/@opentelemetry/api/"))).toBe(true);
  const ofTraces =
    /sdk-trace|otlp|context-async-hooks|restate-sdk-opentelemetry|start-tracing|trace-hook/;
  expect(loaded.filter((url) => ofTraces.test(url))).toEqual([]);
});
