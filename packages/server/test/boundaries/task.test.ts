import assert from "node:assert";
import { createHash } from "node:crypto";
import { type FileServer, serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTask } from "../../src/generation/create-task.ts";
import { submitJob } from "../../src/generation/submit/submit-job.ts";
import { takeInputs } from "../../src/generation/submit/take-inputs.ts";
import { imageRulesOf, routeOf } from "../../src/routing/vendor-accounts-setting.ts";
import { finishTask } from "../../src/tasks/finish-task.ts";
import { findOpenTask } from "../../src/tasks/open-task-queries.ts";
import { readState } from "../harness/account-state.ts";
import { scaled } from "../harness/scale.ts";
import { openTestBed, type TestBed } from "../harness/test-context.ts";
import { boundaries } from "./boundaries.ts";
import { type Boundary, formats, goodImage, inputsAt, type Sample } from "./boundary.ts";
import { makeFile } from "./make-file.ts";

/** In the task: real files at web addresses, fetched, measured and pinned, or the end of the task. */
const nowhere = { baseUrl: "http://127.0.0.1:9", apiKey: "none" };
const kinds = ["ark", "dashscope", "openai", "gemini"];
const cleanUp = new AsyncDisposableStack();
let dir: string;
let server: FileServer;
let bed: TestBed;
beforeAll(async () => {
  dir = cleanUp.use(await makeScratch("boundaries")).path;
  server = cleanUp.use(await serveFiles({ tlsDir: dir }));
  const vendors = kinds.map((kind) => ({ name: kind, kind, ...nowhere }));
  bed = cleanUp.use(await openTestBed({ VENDORS: JSON.stringify(vendors) }));
});
afterAll(() => cleanUp.disposeAsync());

/** Files are made once: many rows are about the same. */
const made = new Map<string, Promise<{ bytes: Buffer; url: string }>>();
function offered(sample: Sample) {
  const name = JSON.stringify(sample);
  const offer = async () => {
    const bytes = await makeFile(sample);
    return { bytes, url: server.offer(bytes) };
  };
  const file = made.get(name) ?? offer();
  made.set(name, file);
  return file;
}

async function accepted(row: Boundary, sample: Sample) {
  const account = await bed.openAccount();
  const { bytes, url } = await offered(sample);
  const { inputs, param } = inputsAt(row, url, (await offered(goodImage)).url);
  const { taskId } = await createTask(bed.ctx, account, { model: row.model, inputs }, null);
  return { account, taskId, bytes, param };
}

/** The vendor of `happyhorse` takes no BMP, and no reference image below 400 px. */
function isConverted({ model, mode }: Boundary, { format, width = 0, height = 0 }: Sample) {
  const isSmall = mode === "reference-to-video" && Math.min(width, height) < 400;
  return model === "happyhorse" && (format === "bmp" || isSmall);
}

function countObjects() {
  return bed.database.sql("select count(*)::int as objects from media_objects");
}

/** The rules and the vendor of `sd2-fast` are those of `sd2`, which stands for both unless all is run. */
const leftOut = scaled<string[]>(["sd2-fast"], []);
const byAddress = boundaries.filter(
  ({ via, model }) => via.includes("address") && !leftOut.includes(model),
);
const nameOf = ({ model, mode, input, rule, message }: Boundary) =>
  [model, mode, input, `${rule}: a file at an address ${message}`] as const;

describe.each(byAddress.map((row) => [...nameOf(row), row] as const))(
  "%s %s %s %s",
  (_model, _mode, _input, _rule, row) => {
    test.each(row.taken)("pinned, as it is or as its vendor takes it: %o", async (sample) => {
      const { taskId, bytes, param } = await accepted(row, sample);
      const task = await findOpenTask(bed.ctx.db, taskId);
      assert(task !== undefined);
      const route = routeOf(bed.ctx.vendors, { ...task, model: row.model });
      const rules = imageRulesOf(route, task.request);
      expect(await takeInputs(bed.ctx, task, rules)).toMatchObject({ kind: "taken" });
      const pinned = (await findOpenTask(bed.ctx.db, taskId))?.inputs ?? [];
      const asItIs = {
        contentType: formats[sample.format]?.contentType,
        sizeBytes: bytes.length,
        sha256: createHash("sha256").update(bytes).digest("hex"),
      };
      expect(pinned.find((input) => input.param === param)).toMatchObject(
        isConverted(row, sample) ? { contentType: "image/png" } : asItIs,
      );
    });

    test.each(row.refused)(
      "ends the task by the input's name, all given back: %o",
      async (sample) => {
        const { account, taskId, param } = await accepted(row, sample);
        const before = await countObjects();
        const ended = await submitJob(bed.ctx, taskId);
        expect(ended).toMatchObject({ kind: "failed", code: "input_unusable" });
        assert(ended.kind === "failed");
        expect(ended.message?.startsWith(`${param}: `)).toBe(true);
        expect(ended.message).toContain(row.message);
        await finishTask(bed.ctx, taskId, ended);
        expect(await readState(bed.database, account.id)).toMatchObject({
          statuses: ["FAILED"],
          transfers: ["grant", "hold", "release"],
          credits: 10_000,
          held: 0,
        });
        expect(await countObjects()).toEqual(before); // what was pinned before it is gone again
      },
    );
  },
);

test("twelve files at addresses, nine images and three sounds, are all pinned in their order", async () => {
  const account = await bed.openAccount();
  const urls = Array<string>(9).fill((await offered(goodImage)).url);
  const audio = await offered({ format: "wav", durationMs: 2_000 });
  const audioUrls = Array<string>(3).fill(audio.url);
  const inputs = { videoInputMode: "reference", resolution: "720x720", urls, audioUrls };
  const { taskId } = await createTask(bed.ctx, account, { model: "sd2", inputs }, null);
  const task = await findOpenTask(bed.ctx.db, taskId);
  assert(task !== undefined);
  const taken = await takeInputs(bed.ctx, task, null);
  assert(taken.kind === "taken");
  expect(taken.files.size).toBe(12);
  const pinned = (await findOpenTask(bed.ctx.db, taskId))?.inputs ?? [];
  expect(pinned.map(({ param }) => param)).toEqual([
    ...urls.map((_, index) => `inputs.urls[${index}]`),
    ...audioUrls.map((_, index) => `inputs.audioUrls[${index}]`),
  ]);
});
