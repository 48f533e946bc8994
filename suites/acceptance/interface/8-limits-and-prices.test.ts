import { renderClip } from "@zoetrope/testkit/make-media.ts";
import { serve } from "@zoetrope/testkit/serve.ts";
import { expect, test } from "vitest";
import {
  type Caller,
  limited,
  main,
  nameOf,
  scheduleB,
  sentence,
  settings,
  stays,
} from "./client.ts";
import { offer, reference } from "./files.ts";

const schedules = [main, scheduleB];
type Inputs = Readonly<Record<string, unknown>>;

/** Returns the price of a task that is open or has been made. */
async function priceOf(by: Caller, model: string, inputs: Inputs): Promise<number> {
  return (await by.task(await by.create(model, inputs))).creditsUsed;
}

async function upscaled(by: Caller, url: string | null, targetResolution: string) {
  const { taskId } = await by.createUpscale({ source: { type: "url", url }, targetResolution });
  const end = await by.upscaleEnd(taskId);
  expect(end, end.error?.message).toMatchObject({ status: "completed" });
  return end;
}

// One after the other: both fill the same account.
test(nameOf("7 429"), async () => {
  const inputs = { prompt: stays, duration: "4s" };
  const open: string[] = [];
  for (let made = 0; made < 3; made++) open.push(await limited.create("sd2-fast", inputs));
  const fourth = await limited.post("/jobs/createTask", { model: "sd2-fast", inputs });
  expect(fourth.status).toBe(429);
  for (const taskId of open) await limited.end(taskId);
  await limited.end(await limited.create("image-plus-2", { prompt: "A boat [sandbox:fail]" }));
});

test(nameOf("8 concurrency"), async () => {
  // A source that never comes keeps the upscale open.
  await using silent = await serve(() => {});
  const source = { type: "url", url: `${silent.url}/video.mp4` };
  await limited.createUpscale({ source, targetResolution: "1080p" });
  const inputs = { prompt: stays, duration: "4s" };
  for (let made = 0; made < 2; made++) await limited.create("sd2-fast", inputs);
  for (const [path, body] of [
    ["/jobs/createTask", { model: "sd2-fast", inputs }],
    ["/upscale/create", { source, targetResolution: "1080p" }],
  ] as const)
    expect((await limited.post(path, body)).status, path).toBe(429);
});

sentence("8 formats", async () => {
  for (const [name, ...codec] of [
    ["video.mp4", "-c:v", "mpeg4"],
    ["video.mov", "-c:v", "mjpeg", "-pix_fmt", "yuvj422p"],
    ["video.webm", "-c:v", "libvpx", "-deadline", "realtime"],
  ] as const)
    await upscaled(main, await offer(await renderClip(name, codec, 2)), "1080p");
});
sentence("8 five seconds", async () => {
  const url = await offer(await renderClip("video.mp4", ["-c:v", "mpeg4"], 2));
  expect((await upscaled(main, url, "1080p")).creditsConsumed).toBe(15);
});

/** Without and with a video input of 3 s, under A and B; 4 s of output. */
function prices(
  model: "sd2" | "sd2-fast",
  item: Inputs,
  [a, aWith, b, bWith]: readonly [number, number, number, number],
): () => Promise<void> {
  return async () => {
    for (const [by, without, withVideo] of [
      [main, a, aWith],
      [scheduleB, b, bWith],
    ] as const) {
      const inputs = { prompt: stays, duration: "4s", ...item };
      expect(await priceOf(by, model, inputs)).toBe(without);
      const videoUrls = [await reference(by, "VIDEO")];
      const more = { videoInputMode: "reference", resolution: "1280x720", videoUrls };
      expect(await priceOf(by, model, { ...inputs, ...more })).toBe(withVideo);
    }
  };
}
const up = (upscaleResolution: string) => ({ upscaleResolution });
const [out, together] = [4, 4 + 3];

sentence("8 sd2 720P", prices("sd2", {}, [6 * out, 4 * together, 40 * out, 30 * together]));
sentence(
  "8 sd2 1080P",
  prices("sd2", { outputResolution: "1080p" }, [15 * out, 11 * together, 100 * out, 75 * together]),
);
sentence(
  "8 sd2 2K",
  prices("sd2", up("2k"), [
    (6 + 5) * out,
    4 * together + 5 * out,
    (40 + 30) * out,
    30 * together + 30 * out,
  ]),
);
sentence(
  "8 sd2 4K",
  prices("sd2", up("4k"), [
    (6 + 7) * out,
    4 * together + 7 * out,
    (40 + 40) * out,
    30 * together + 40 * out,
  ]),
);
sentence(
  "8 sd2-fast 720P",
  prices("sd2-fast", {}, [5 * out, 4 * together, 32 * out, 24 * together]),
);
sentence(
  "8 sd2-fast 1080P",
  prices("sd2-fast", up("1080p"), [
    (5 + 3) * out,
    4 * together + 3 * out,
    (32 + 20) * out,
    24 * together + 20 * out,
  ]),
);
sentence(
  "8 sd2-fast 2K",
  prices("sd2-fast", up("2k"), [
    (5 + 5) * out,
    4 * together + 5 * out,
    (32 + 30) * out,
    24 * together + 30 * out,
  ]),
);
sentence(
  "8 sd2-fast 4K",
  prices("sd2-fast", up("4k"), [
    (5 + 7) * out,
    4 * together + 7 * out,
    (32 + 40) * out,
    24 * together + 40 * out,
  ]),
);
sentence("8 in", async () => {
  // The input of 2.2 s counts as 3 s; two thirds of 5 s and 15 s are more.
  const videoUrls = [await reference(main, "VIDEO")];
  const inputs = {
    prompt: stays,
    videoInputMode: "reference",
    resolution: "1280x720",
    videoUrls,
  };
  expect(await priceOf(main, "sd2", { ...inputs, duration: "4s" })).toBe(4 * (4 + 3));
  expect(await priceOf(main, "sd2", { ...inputs, duration: "15s" })).toBe(4 * (15 + 10));
  expect(await priceOf(main, "sd2", { ...inputs, duration: "5s" })).toBe(
    Math.ceil(4 * (5 + 10 / 3)),
  );
});
sentence("8 upscaled", async () => {
  const inputs = { prompt: "A boat", duration: "4s", upscaleResolution: "1080p" };
  const end = await main.end(await main.create("sd2-fast", inputs));
  expect(end, end.error).toMatchObject({ status: "COMPLETED" });
  expect(Math.min(end.output[0].width, end.output[0].height)).toBe(1080);
});

for (const [item, inputs, rates] of [
  ["8 happyhorse 720P", {}, [5, 32]],
  ["8 happyhorse 1080P", { outputResolution: "1080p" }, [9, 60]],
  ["8 happyhorse 2K", up("2k"), [10, 62]],
  ["8 happyhorse 4K", up("4k"), [12, 72]],
] as const)
  sentence(item, async () => {
    for (const [index, by] of schedules.entries())
      expect(await priceOf(by, "happyhorse", { prompt: stays, duration: "3", ...inputs })).toBe(
        3 * (rates[index] ?? 0),
      );
  });
sentence("8 happyhorse references", async () => {
  const urls = [await reference(main, "IMAGE")];
  const inputs = { prompt: stays, duration: "3" };
  expect(await priceOf(main, "happyhorse", { ...inputs, urls })).toBe(15);
  const videoWorkflowTab = "multi-reference";
  expect(await priceOf(main, "happyhorse", { ...inputs, urls, videoWorkflowTab })).toBe(15);
});

for (const [resolution, pro, high, plus] of [
  ["1k", [3, 15], [13, 70], [3, 15]],
  ["2k", [6, 35], [22, 125], [6, 35]],
  ["4k", [11, 60], [40, 230], [11, 60]],
] as const)
  sentence(`8 images ${resolution}`, async () => {
    const inputs = { prompt: "A boat", resolution };
    for (const [index, by] of schedules.entries()) {
      expect(await priceOf(by, "image-pro-2", inputs)).toBe(pro[index]);
      expect(await priceOf(by, "image-pro-2", { ...inputs, quality: "high" })).toBe(high[index]);
      expect(await priceOf(by, "image-plus-2", inputs)).toBe(plus[index]);
    }
  });

for (const [targetResolution, rates] of [
  ["1080p", [3, 25]],
  ["2k", [5, 38]],
  ["4k", [7, 50]],
] as const)
  sentence(`8 upscaler ${targetResolution}`, async () => {
    for (const [index, by] of schedules.entries()) {
      const { creditsConsumed, result } = await upscaled(by, settings.videoUrl, targetResolution);
      const seconds = Math.max(5, Math.ceil(result.probedDurationSeconds));
      expect(creditsConsumed).toBe(seconds * (rates[index] ?? 0));
    }
  });

sentence("9 prefix", async () => {
  const headers = { authorization: `Bearer ${settings.keys.main}` };
  expect((await fetch(`${settings.url}/api/v1/account/credits`, { headers })).status).toBe(200);
  expect((await fetch(`${settings.url}/account/credits`, { headers })).status).toBe(404);
});
