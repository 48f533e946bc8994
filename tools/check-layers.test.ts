import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, test } from "vitest";
import { findCycles, findUpward } from "./check-layers.ts";
import { readImports } from "./imports.ts";

const server = "packages/server/src";

/** File → what it may not import, and what it may. */
const planted: Record<string, { refused: string[]; allowed: string[] }> = {
  [`${server}/models/x.ts`]: {
    refused: ["../generation/create-task.ts", "../db/database.ts", "../ids.ts", "fastify"],
    allowed: ["../errors.ts", "zod"],
  },
  [`${server}/vendors/ark/x.ts`]: {
    refused: ["../../tasks/queries.ts", "../../db/database.ts", "undici"],
    allowed: ["../../models/request.ts", "../call.ts"],
  },
  [`${server}/media/probe/x.ts`]: {
    refused: ["../../vendors/vendor.ts", "../../http/etag.ts", "undici"],
    allowed: ["../storage/storage.ts"],
  },
  [`${server}/media/fetch/safe-fetch.ts`]: {
    refused: ["../../context.ts"],
    allowed: ["undici"],
  },
  [`${server}/credits/x.ts`]: {
    refused: ["../tasks/queries.ts", "../webhooks/queries.ts", "../accounts/queries.ts"],
    allowed: ["../db/database.ts"],
  },
  [`${server}/webhooks/x.ts`]: {
    refused: ["../tasks/queries.ts", "undici"],
    allowed: ["../db/database.ts", "../accounts/queries.ts"],
  },
  [`${server}/assets/review/automatic/load-reviewer.ts`]: {
    refused: ["@zoetrope/sandbox/main.ts"],
    allowed: ["@zoetrope/reviewer", "../../../settings/config.ts"],
  },
  [`${server}/assets/review/automatic-reviewer.ts`]: {
    refused: ["@zoetrope/reviewer"],
    allowed: ["./automatic/load-reviewer.ts"],
  },
  [`${server}/labels/load-signer.ts`]: {
    refused: ["@zoetrope/sandbox/main.ts", "../tasks/queries.ts"],
    allowed: ["@zoetrope/signer", "../settings/config.ts"],
  },
  [`${server}/labels/sign-file.ts`]: {
    refused: ["@zoetrope/signer", "../upscale/context.ts"],
    allowed: ["./load-signer.ts", "../media/probe/confine.ts"],
  },
  "packages/signer/src/x.ts": {
    refused: ["@zoetrope/server/settings/config.ts", "../../server/src/settings/config.ts"],
    allowed: ["./sign-file.js", "@contentauth/c2pa-node"],
  },
  "packages/reviewer/src/x.ts": {
    refused: ["@zoetrope/server/settings/config.ts", "../../server/src/settings/config.ts"],
    allowed: ["./judge.ts", "nsfwjs/core"],
  },
  [`${server}/assets/x.ts`]: {
    refused: ["../generation/create-task.ts", "../docs/markdown.ts", "fastify"],
    allowed: ["../tasks/queries.ts", "../models/asset-rules.ts"],
  },
  [`${server}/generation/submit/take-inputs.ts`]: {
    refused: ["../../media/mp4/measure-mp4.ts"],
    allowed: ["../../media/probe/probe.ts"],
  },
  [`${server}/generation/collect-media.ts`]: {
    refused: ["undici"],
    allowed: ["../media/mp4/measure-mp4.ts"],
  },
  [`${server}/docs/x.ts`]: {
    refused: ["@restatedev/restate-sdk", "fastify"],
    allowed: ["../api/build-api.ts"],
  },
  [`${server}/tasks/x.ts`]: {
    refused: [
      "../assets/queries.ts",
      "../generation/poll/poll-job.ts",
      "../live/routes.ts",
      "../api/build-api.ts",
      "@restatedev/restate-sdk",
    ],
    allowed: ["../credits/ledger.ts", "../accounts/queries.ts"],
  },
  [`${server}/live/routes.ts`]: {
    refused: ["../upscale/read-states.ts", "../api/build-api.ts", "@restatedev/restate-sdk"],
    allowed: ["fastify", "../tasks/require-own.ts", "../db/listen.ts"],
  },
  [`${server}/generation/submit/x.ts`]: {
    refused: ["../../worker/start-worker.ts", "fastify", "undici", "@restatedev/restate-sdk/fetch"],
    allowed: ["../../tasks/queries.ts", "../../vendors/vendor.ts"],
  },
  [`${server}/generation/routes.ts`]: {
    refused: ["@restatedev/restate-sdk"],
    allowed: ["fastify"],
  },
  [`${server}/generation/generation-object.ts`]: {
    refused: ["fastify", "../api/build-api.ts"],
    allowed: ["@restatedev/restate-sdk"],
  },
  [`${server}/http/x.ts`]: {
    refused: ["@restatedev/restate-sdk", "../worker/start-worker.ts", "../context.ts"],
    allowed: ["fastify"],
  },
  [`${server}/api/x.ts`]: {
    refused: ["@restatedev/restate-sdk", "../worker/start-worker.ts", "../operator/main.ts"],
    allowed: ["fastify", "../generation/routes.ts"],
  },
  [`${server}/main.ts`]: {
    refused: ["@zoetrope/sandbox/server.ts"],
    allowed: ["./api/build-api.ts"],
  },
  [`${server}/nowhere/x.ts`]: { refused: ["../errors.ts"], allowed: [] },
  "packages/sandbox/src/x.ts": { refused: ["@zoetrope/dev/stack.ts"], allowed: ["fastify"] },
  "packages/dev/src/services/x.ts": { refused: ["@zoetrope/testkit/serve.ts"], allowed: ["pg"] },
  "packages/testkit/src/x.ts": {
    refused: ["@zoetrope/server/ids.ts"],
    allowed: ["@zoetrope/dev/stack.ts"],
  },
  "suites/acceptance/quote/x.ts": {
    refused: ["../../../packages/server/src/models/prices.ts", "@zoetrope/server/models/prices.ts"],
    allowed: ["@zoetrope/dev/stack.ts"],
  },
  "suites/chaos/src/check/x.ts": { refused: ["@zoetrope/server/ids.ts"], allowed: ["pg"] },
};

/** Each form in which a file can be imported. */
const forms = [
  (specifier: string) => `import "${specifier}";`,
  (specifier: string) => `import { x } from "${specifier}";`,
  (specifier: string) => `import type { X } from "${specifier}";`,
  (specifier: string) => `export { x } from "${specifier}";`,
  (specifier: string) => `const x = await import("${specifier}");`,
];

async function plant(root: string, file: string, lines: readonly string[]): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), `${lines.join("\n")}\n`);
}

test("every import that points the wrong way is found, in each form, and the others are let through", async () => {
  for (const form of forms) {
    await using scratch = await makeScratch("layers");
    const expected: string[] = [];
    for (const [file, { refused, allowed }] of Object.entries(planted)) {
      await plant(scratch.path, file, [...refused, ...allowed].map(form));
      expected.push(...refused.map((_, index) => `${file}:${index + 1}`));
    }
    const found = findUpward(await readImports(scratch.path));
    expect(found.map((fault) => fault.split(" ")[0]).sort()).toEqual(expected.sort());
  }
});

test("files that import each other in a circle are found, also when only types go round", async () => {
  await using scratch = await makeScratch("layers");
  const folder = `${server}/tasks`;
  await plant(scratch.path, `${folder}/a.ts`, [`import type { B } from "./b.ts";`]);
  await plant(scratch.path, `${folder}/b.ts`, [`import {`, `  c,`, `} from "./c.ts";`]);
  await plant(scratch.path, `${folder}/c.ts`, [`import { a } from "./a.ts";`]);
  await plant(scratch.path, `${folder}/d.ts`, [`import { a } from "./a.ts";`]);
  expect(findCycles(await readImports(scratch.path))).toEqual([
    ["a", "b", "c"].map((name) => `${folder}/${name}.ts`),
  ]);
});
