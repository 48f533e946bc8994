import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { probeFilm } from "@zoetrope/dev/probe-film.ts";
import { makeScratch } from "@zoetrope/dev/services/scratch.ts";
import { describe, expect, test } from "vitest";
import { main, other, settings, waitFor } from "../src/client.ts";
import { startReceiver } from "../src/receiver.ts";
import { offerFile, renderFilm } from "../src/source-film.ts";
import { followUpscale, readUpscale, taskIdIn, type Upscale } from "../src/upscale.ts";

const secondsOf = (seconds: number) => Math.max(5, Math.ceil(seconds));

async function probe(url: string) {
  await using scratch = await makeScratch("upscaled");
  const path = join(scratch.path, "film.mp4");
  const response = await fetch(url);
  expect(response.status).toBe(200);
  await writeFile(path, Buffer.from(await response.arrayBuffer()));
  return { ...(await probeFilm(path)), contentType: response.headers.get("content-type") };
}

/** What a poller sees, each status once. */
function statusesOf(seen: readonly Upscale[]): string {
  const statuses = seen.map(({ status }) => status);
  return statuses.filter((status, index) => status !== statuses[index - 1]).join(" ");
}

describe.runIf(settings.filmUrl !== null)("an upscale", () => {
  const url = settings.filmUrl ?? "";

  test("§4.8 a film goes from validating to completed: behind its url is a film with 1080 lines, as long as the source, and its seconds are charged", async () => {
    const before = await other.idle();
    const source = await probe(url);
    const sentAt = Date.now();
    const body = { source: { type: "url", url }, targetResolution: "1080p" };
    const { seen, end } = await followUpscale(other, taskIdIn(await other.createUpscale(body)));
    expect(end.error).toBeNull();
    expect(statusesOf(seen)).toMatch(/^(validating )?(processing )?completed$/);
    const steps = seen.map(({ progress }) => progress);
    expect(steps, "progress never falls").toEqual(steps.toSorted((a, b) => a - b));
    expect(steps.at(-1)).toBe(100);
    for (const { result, creditsConsumed, finishedAt } of seen.slice(0, -1))
      expect({ result, creditsConsumed, finishedAt }).toEqual({
        ...{ result: null, creditsConsumed: null, finishedAt: null },
      });

    const { result } = end;
    if (result === null) throw new Error("completed without a result");
    expect(result.probedSourceResolution).toBe(`${source.width}x${source.height}`);
    expect(result.probedDurationSeconds).toBeCloseTo(source.seconds, 0);
    const probed = await probe(result.url);
    expect(probed).toMatchObject({
      ...{ width: result.width, height: result.height, video: "h264" },
      ...{ audio: source.audio, contentType: "video/mp4" },
    });
    expect(Math.min(result.width, result.height)).toBe(1080);
    const ratio = result.width / result.height / ((source.width ?? 0) / (source.height ?? 1));
    expect(ratio, "the aspect ratio is kept").toBeCloseTo(1, 2);
    expect(Math.abs(probed.seconds - source.seconds)).toBeLessThan(0.25);

    expect(end.creditsConsumed).toBe(3 * secondsOf(result.probedDurationSeconds));
    const spent = before.credits - (end.creditsConsumed ?? 0);
    expect(await other.balance()).toEqual({ credits: spent, availableCredits: spent });
    expect(Math.abs(Date.parse(end.createdAt) - sentAt)).toBeLessThan(60_000);
    expect(Date.parse(end.finishedAt ?? "")).toBeGreaterThan(Date.parse(end.createdAt));
    expect(await readUpscale(other, end.taskId), "nothing leaves a terminal state").toEqual(end);
  });

  test.runIf(settings.hasSandbox)(
    "§4.7 a stored copy from assets/upload is taken as a source, and so is its own account's alone",
    async () => {
      const { body: asset } = await main.uploadAsset({ url, type: "VIDEO" });
      let stored: Record<string, unknown> = {};
      await waitFor("the asset can be used", async () => {
        stored = (await main.readAsset(Number(asset["assetId"]))).body;
        return stored["status"] === "ACTIVE" || stored["status"] === "NONE";
      });
      const source = { type: "uploadId", storageUrl: stored["storageUrl"] };
      const taskId = taskIdIn(await main.createUpscale({ source, targetResolution: "1080p" }));
      const { end } = await followUpscale(main, taskId);
      expect(end).toMatchObject({
        ...{ status: "completed", error: null },
        creditsConsumed: 3 * secondsOf(Number(stored["duration"])),
        result: { probedDurationSeconds: stored["duration"] },
      });
      expect(Math.min(end.result?.width ?? 0, end.result?.height ?? 0)).toBe(1080);
    },
  );

  test.runIf(settings.callsLoopback)(
    "§6 when it is completed, callBackUrl receives a POST whose JSON body is upscale/query's answer",
    async () => {
      await using receiver = await startReceiver();
      const source = { type: "url", url };
      const body = { source, targetResolution: "1080p", callBackUrl: receiver.url };
      const taskId = taskIdIn(await main.createUpscale(body));
      await waitFor("the callback has come", () => receiver.received.length > 0);
      const [callback] = receiver.received;
      expect(callback).toMatchObject({ method: "POST", path: "/hook" });
      const task = await readUpscale(main, taskId);
      expect(task).toMatchObject({ taskId, status: "completed" });
      expect(JSON.parse(callback?.body ?? "")).toEqual(task);
    },
  );
});

describe.runIf(settings.callsLoopback)("an upscale that fails", () => {
  const large = { size: "1920x1080", seconds: 1 };
  for (const [code, what, path, makeFile] of [
    ["URL_NOT_REACHABLE", "nothing is there", "/nothing", async () => Buffer.alloc(0)],
    ["UNSUPPORTED_MEDIA_TYPE", "it is no film", "/file", async () => Buffer.from("no film")],
    ["SOURCE_RESOLUTION_TOO_HIGH", "it has 1080 lines already", "/file", () => renderFilm(large)],
  ] as const)
    test(`§7 ${code} when ${what}: an error with code and message, no result, nothing is charged, and the callback says the same`, async () => {
      await using receiver = await startReceiver();
      await using file = await offerFile(await makeFile());
      const before = await other.idle();
      const source = { type: "url", url: new URL(path, file.url).href };
      const body = { source, targetResolution: "1080p", callBackUrl: receiver.url };
      const taskId = taskIdIn(await other.createUpscale(body));
      const { seen, end } = await followUpscale(other, taskId);
      expect(end).toMatchObject({
        ...{ taskId, status: "failed", targetResolution: "1080p" },
        ...{ creditsConsumed: null, result: null },
        error: { code, message: expect.stringMatching(/./) },
        finishedAt: expect.stringMatching(/Z$/),
      });
      expect(statusesOf(seen)).toMatch(/^(validating )?failed$/);
      expect(await other.balance()).toEqual(before);
      await waitFor("the callback has come", () => receiver.received.length > 0);
      expect(JSON.parse(receiver.received[0]?.body ?? "")).toEqual(end);
    });
});
