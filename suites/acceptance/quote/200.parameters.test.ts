import type { Inputs } from "@zoetrope/testkit/api-client.ts";
import { expect, test } from "vitest";
import { main } from "../src/client.ts";
import { audios, images } from "../src/examples.ts";

const prompt = "A paper boat";
const reference = { prompt, videoInputMode: "reference", resolution: "1280x720" };
const multiReference = { prompt, videoWorkflowTab: "multi-reference" };
const secondsFrom = (min: number) =>
  Array.from({ length: 16 - min }, (_, index) => String(min + index));
const seeds = [0, 1, 2_147_483_647];
const fiveRatios = ["1:1", "16:9", "9:16", "4:3", "3:4"];

async function expectAccepted(model: string, accepted: readonly Inputs[]): Promise<void> {
  const answers = await Promise.all(accepted.map((inputs) => main.quote({ model, inputs })));
  const refused = answers.flatMap(({ status, text }, index) =>
    status === 200 ? [] : [`${JSON.stringify(accepted[index]).slice(0, 200)}: ${status} ${text}`],
  );
  expect(refused).toEqual([]);
}

/** Every value of a parameter is accepted, on top of inputs that are accepted without it. */
function takes(model: string, parameter: string, values: readonly unknown[], base: Inputs): void {
  const shown = values.map((value) => JSON.stringify(value)).join(", ");
  test(`§4.1 ${model} takes ${parameter}: ${shown}`, async () => {
    const accepted = values.map((value) => ({ ...base, [parameter]: value }));
    await expectAccepted(model, accepted);
  });
}

for (const model of ["sd2", "sd2-fast"]) {
  takes(model, "duration", [...secondsFrom(4), ...secondsFrom(4).map((n) => `${n}s`)], { prompt });
  takes(
    model,
    "resolution",
    ["720x720", "720x960", "960x720", "1280x720", "720x1280", "1280x540"],
    { prompt },
  );
  takes(model, "outputResolution", model === "sd2" ? ["720p", "1080p"] : ["720p"], { prompt });
  takes(model, "upscaleResolution", ["1080p", "2k", "4k"], { prompt });
  takes(model, "seed", [-1, null, ...seeds], { prompt });
  takes(model, "generateAudio", [true, false], { prompt });

  test(`§4.1 ${model}: the prompt is required only for text-to-video`, async () => {
    const { prompt: _, ...silentReference } = reference;
    await expectAccepted(model, [
      { urls: images(1) },
      { urls: images(2) },
      { urls: images(2), videoInputMode: "keyframe" },
      { ...silentReference, urls: images(1) },
    ]);
  });

  test(`§4.1 ${model}: urls may be http and https`, async () => {
    await expectAccepted(model, [{ urls: ["http://example.com/a.png", "https://example.com/b"] }]);
  });

  test(`§4.1 ${model}: reference takes 1 to 9 images`, async () => {
    const counts = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    await expectAccepted(
      model,
      counts.map((count) => ({ ...reference, urls: images(count) })),
    );
  });

  test(`§4.1 ${model}: reference takes 1 to 3 audio files beside an image, by external URLs too`, async () => {
    const counts = [1, 2, 3];
    await expectAccepted(
      model,
      counts.map((count) => ({ ...reference, urls: images(1), audioUrls: audios(count) })),
    );
  });

  test(`§4.1 ${model}: reference takes 12 files in total`, async () => {
    await expectAccepted(model, [{ ...reference, urls: images(9), audioUrls: audios(3) }]);
  });

  test(`§4.1 ${model}: every mode takes the video's parameters`, async () => {
    const video = {
      duration: "15s",
      resolution: "1280x540",
      outputResolution: "720p",
      upscaleResolution: "4k",
      seed: 7,
      generateAudio: false,
    };
    await expectAccepted(model, [
      { prompt, ...video },
      { prompt, urls: images(1), ...video },
      { prompt, urls: images(2), videoInputMode: "keyframe", ...video },
      { ...reference, urls: images(1), ...video },
    ]);
  });
}

test("§4.1 sd2: native 1080p may be upscaled to what is higher", async () => {
  const native = { prompt, outputResolution: "1080p" };
  await expectAccepted("sd2", [
    { ...native, upscaleResolution: "2k" },
    { ...native, upscaleResolution: "4k" },
  ]);
});

takes("happyhorse", "duration", [...secondsFrom(3), ...secondsFrom(3).map((n) => `${n}s`)], {
  prompt,
});
takes("happyhorse", "outputResolution", ["720p", "1080p"], { prompt });
takes("happyhorse", "upscaleResolution", ["1080p", "2k", "4k"], { prompt });
takes("happyhorse", "ratio", fiveRatios, { prompt });
takes("happyhorse", "seed", [null, ...seeds], { prompt });

test("§4.1 happyhorse: in image-to-video the prompt is optional", async () => {
  await expectAccepted("happyhorse", [{ urls: images(1) }, { prompt, urls: images(1) }]);
});

test("§4.1 happyhorse: ratio is used by reference-to-video too", async () => {
  const inputs = { ...multiReference, urls: images(1) };
  await expectAccepted(
    "happyhorse",
    fiveRatios.map((ratio) => ({ ...inputs, ratio })),
  );
});

test("§4.1 happyhorse: image-to-video takes its aspect from the first frame, a ratio does no harm", async () => {
  await expectAccepted("happyhorse", [{ urls: images(1), ratio: "16:9" }]);
});

test("§4.1 happyhorse: reference-to-video takes 1 to 9 urls", async () => {
  const counts = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  await expectAccepted(
    "happyhorse",
    counts.map((count) => ({ ...multiReference, urls: images(count) })),
  );
});

test("§4.1 happyhorse: a prompt of 5000 non-CJK or 2500 CJK characters is read whole, a longer one is cut, and the quote says so", async () => {
  const notesOf = async (text: string) => (await main.price("happyhorse", { prompt: text })).notes;
  for (const [character, charactersMax] of [
    ["b", 5_000],
    ["船", 2_500],
  ] as const) {
    expect(await notesOf(character.repeat(charactersMax))).toBeUndefined();
    expect(await notesOf(character.repeat(charactersMax + 1))).toEqual([
      { param: "inputs.prompt", message: expect.stringContaining(`after ${charactersMax}`) },
    ]);
  }
});

takes("image-pro-2", "quality", ["medium", "high"], { prompt });
takes("image-pro-2", "outputFormat", ["png", "jpeg", "webp"], { prompt });
takes("image-pro-2", "aspectRatio", fiveRatios, { prompt });
takes("image-plus-2", "aspectRatio", [...fiveRatios, "3:2", "2:3", "4:5", "5:4", "21:9"], {
  prompt,
});

for (const model of ["image-pro-2", "image-plus-2"]) {
  takes(model, "resolution", ["1k", "2k", "4k"], { prompt });

  test(`§4.1 ${model}: 1-10 reference images switch to edit mode`, async () => {
    const counts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    await expectAccepted(
      model,
      counts.map((count) => ({ prompt, urls: images(count) })),
    );
  });
}

test("§4.1 callBackUrl may be http or https", async () => {
  for (const callBackUrl of ["http://example.com/hook", "https://example.com:8443/hook?id=1"]) {
    const answer = await main.quote({ model: "sd2", inputs: { prompt }, callBackUrl });
    expect(answer.status, answer.text).toBe(200);
  }
});
