import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openUpscaleBed, type UpscaleBed } from "../../test/harness/upscale-bed.ts";

let bed: UpscaleBed;
beforeAll(async () => {
  bed = await openUpscaleBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

const url = "https://videos.example.com/a.mp4";
const fromUrl = { source: { type: "url", url }, targetResolution: "1080p" };

describe("query", () => {
  test("an upscale is no generation and the other way round: 404; another's is 403", async () => {
    const [account, stranger] = [await bed.openAccount(), await bed.openAccount()];
    const { taskId } = await bed.create(account, fromUrl);
    const body = { model: "sd2", inputs: { prompt: "a fox" } };
    const { taskId: videoId } = await bed.post(account, "jobs/createTask", body);
    for (const [caller, path] of [
      [account, `jobs/queryTask?taskId=${taskId}`],
      [stranger, `jobs/queryTask?taskId=${taskId}`],
      [account, `upscale/query?taskId=${videoId}`],
      [stranger, `upscale/query?taskId=${videoId}`],
      [account, "upscale/query?taskId=none"],
    ] as const)
      expect(await bed.read(caller, path)).toMatchObject({ http: 404, code: "task_not_found" });
    const foreign = await bed.read(stranger, `upscale/query?taskId=${taskId}`);
    expect(foreign).toMatchObject({ http: 403, code: "access_denied" });
    for (const path of ["upscale/query", "upscale/query?taskId="])
      expect(await bed.read(account, path)).toMatchObject({ param: "taskId" });
  });

  test("models lists the upscaler with the caller's prices", async () => {
    const account = await bed.openAccount({ schedule: "B" });
    expect(await bed.read(account, "models")).toMatchObject({
      upscaler: {
        schedule: "B",
        targets: [
          { targetResolution: "1080p", shortSide: 1080, creditsPerSecond: 25 },
          { targetResolution: "2k", shortSide: 1440, creditsPerSecond: 38 },
          { targetResolution: "4k", shortSide: 2160, creditsPerSecond: 50 },
        ],
        secondsMax: 600,
      },
    });
  });
});
