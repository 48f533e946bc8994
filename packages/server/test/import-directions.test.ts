import { spawnSync } from "node:child_process";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const server = "packages/server/src";

/** File → what it may not import, and what it may. */
const planted: Record<string, { refused: string[]; allowed: string[] }> = {
  [`${server}/models/x.ts`]: {
    refused: [
      "../generation/create-task.ts",
      "../db/database.ts",
      "../media/storage.ts",
      "fastify",
    ],
    allowed: ["../errors.ts", "zod"],
  },
  [`${server}/vendors/ark/x.ts`]: {
    refused: ["../../tasks/queries.ts", "../../db/database.ts", "undici"],
    allowed: ["../../models/request.ts", "../call.ts"],
  },
  [`${server}/media/x.ts`]: {
    refused: ["../vendors/vendor.ts", "undici"],
    allowed: ["./storage.ts"],
  },
  [`${server}/media/safe-fetch.ts`]: { refused: ["../db/database.ts"], allowed: ["undici"] },
  [`${server}/credits/x.ts`]: {
    refused: ["../tasks/queries.ts", "../webhooks/queries.ts", "../accounts/queries.ts"],
    allowed: ["../db/database.ts"],
  },
  [`${server}/webhooks/x.ts`]: {
    refused: ["../tasks/queries.ts", "undici"],
    allowed: ["../db/database.ts"],
  },
  [`${server}/assets/x.ts`]: {
    refused: ["../generation/create-task.ts", "../docs/markdown.ts", "fastify"],
    allowed: ["../tasks/queries.ts", "../models/asset-rules.ts"],
  },
  [`${server}/docs/x.ts`]: {
    refused: ["@restatedev/restate-sdk", "fastify"],
    allowed: ["../http/build-api.ts"],
  },
  [`${server}/tasks/x.ts`]: {
    refused: [
      "../assets/queries.ts",
      "../generation/poll-job.ts",
      "../http/build-api.ts",
      "@restatedev/restate-sdk",
    ],
    allowed: ["../credits/ledger.ts", "../accounts/queries.ts"],
  },
  [`${server}/tasks/live/routes.ts`]: {
    refused: ["../../upscale/read-states.ts", "../../http/build-api.ts", "@restatedev/restate-sdk"],
    allowed: ["fastify", "../require-own.ts", "../../db/listen.ts"],
  },
  [`${server}/generation/x.ts`]: {
    refused: ["../worker/loop.ts", "fastify", "undici", "@restatedev/restate-sdk"],
    allowed: ["../tasks/queries.ts", "../vendors/vendor.ts"],
  },
  [`${server}/generation/routes.ts`]: {
    refused: ["@restatedev/restate-sdk"],
    allowed: ["fastify"],
  },
  [`${server}/generation/generation-object.ts`]: {
    refused: ["fastify", "../http/build-api.ts"],
    allowed: ["@restatedev/restate-sdk"],
  },
  [`${server}/http/x.ts`]: {
    refused: ["@restatedev/restate-sdk", "../worker/loop.ts"],
    allowed: ["fastify"],
  },
  [`${server}/main.ts`]: {
    refused: ["@zoetrope/sandbox/server.ts"],
    allowed: ["./http/build-api.ts"],
  },
  "packages/sandbox/src/x.ts": { refused: ["@zoetrope/testkit/stack.ts"], allowed: ["fastify"] },
  "acceptance/quote/x.ts": {
    refused: ["../../packages/server/src/models/prices.ts"],
    allowed: ["@zoetrope/testkit/stack.ts"],
  },
  "chaos/src/check/x.ts": { refused: ["../src/ids.ts"], allowed: ["pg"] },
};

test("the linter refuses every import that points the wrong way and lets the others through", async () => {
  await using scratch = await makeScratch("imports");
  await copyFile(join(root, "biome.json"), join(scratch.path, "biome.json"));
  const expected: string[] = [];
  for (const [file, { refused, allowed }] of Object.entries(planted)) {
    await mkdir(dirname(join(scratch.path, file)), { recursive: true });
    const lines = [...refused, ...allowed].map((specifier) => `import "${specifier}";`);
    await writeFile(join(scratch.path, file), `${lines.join("\n")}\n`);
    expected.push(...refused.map((specifier, index) => `${file}:${index + 1} ${specifier}`));
  }
  const { stdout } = spawnSync(
    join(root, "node_modules/.bin/biome"),
    [
      "lint",
      "--vcs-enabled=false",
      "--only=style/noRestrictedImports",
      "--max-diagnostics=none",
      "--reporter=github",
      ".",
    ],
    { cwd: scratch.path, encoding: "utf8" },
  );
  const found = [...stdout.matchAll(/noRestrictedImports,file=([^,]+),line=(\d+)/g)].map(
    ([, path = "", line]) => {
      const file = relative(scratch.path, path);
      const specifiers = planted[file];
      const all = [...(specifiers?.refused ?? []), ...(specifiers?.allowed ?? [])];
      return `${file}:${line} ${all[Number(line) - 1]}`;
    },
  );
  expect(found.sort()).toEqual(expected.sort());
});
