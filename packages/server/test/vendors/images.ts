import assert from "node:assert";
import { makeNoise } from "@zoetrope/testkit/make-media.ts";
import { type Reply, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import sharp from "sharp";
import { expect, test } from "vitest";
import { fitImage } from "../../src/media/image/fit-image.ts";
import type { Model } from "../../src/models/model.ts";
import { planRequest } from "../../src/models/plan-request.ts";
import type { ImageRequest } from "../../src/models/request.ts";
import type { SubmitResult, Vendor, VendorJob } from "../../src/vendors/vendor.ts";

export const png = makeNoise(300, 300);

export function jpegOf(png: Buffer): Promise<Buffer> {
  return sharp(png).jpeg().toBuffer();
}

/** A job with these input files, in the order of the request's links. */
export function imageJob(request: ImageRequest, files: Buffer[] = []): VendorJob {
  return {
    request,
    callbackUrl: "http://127.0.0.1:9/",
    isMarked: false,
    secondsMax: 3600,
    endUser: "e".repeat(64),
    linkOf: () => {
      throw new Error("image vendors get files");
    },
    async imageOf(ref, sizeBytesMax) {
      const bytes = files[request.images.indexOf(ref)];
      if (bytes === undefined) throw new Error("no such file");
      return fitImage(bytes, sizeBytesMax);
    },
  };
}

/** Orders to a vendor that answers a submit with an image of this model. */
export function jobsFor(model: Model, open: (settings: { baseUrl: string }) => Vendor) {
  function plan(inputs: object): ImageRequest {
    const request = planRequest(model, inputs);
    assert(request.kind === "image");
    return request;
  }
  function jobWith(files: Buffer[] = []): VendorJob {
    const urls = files.map((_, index) => `https://example.com/${index}`);
    return imageJob(plan({ prompt: "a fox", ...(urls.length > 0 ? { urls } : {}) }), files);
  }
  async function submitTo(answer: Reply, job = jobWith()): Promise<SubmitResult> {
    await using server = await startReceiver(() => answer);
    return await open({ baseUrl: server.url }).submit(job);
  }
  return { open, plan, jobWith, submitTo };
}

/** Tests every vendor that takes files and returns an image; `answerOf` is its response. */
export function testFiles(
  { open, jobWith, submitTo }: ReturnType<typeof jobsFor>,
  answerOf: (image: Buffer) => object,
): void {
  test("a file that is no PNG, JPEG or WebP is refused before anything is sent", async () => {
    const body = answerOf(Buffer.from("an image"));
    await using server = await startReceiver(() => ({ status: 200, body }));
    const job = jobWith([png, Buffer.from("GIF89a and so on")]);
    expect(await open({ baseUrl: server.url }).submit(job)).toEqual({
      kind: "refused",
      code: "input_unusable",
      detail: expect.stringContaining("inputs.urls[1]"),
    });
    expect(server.received).toEqual([]);
  });

  test("an answer may have 64 MiB, and one that is cut off there is unknown", async () => {
    const large = Buffer.alloc(45_000_000, "image");
    const result = await submitTo({ status: 200, body: answerOf(large) });
    expect(result.kind === "delivered" && result.bytes.equals(large)).toBe(true);
    const tooLarge = answerOf(Buffer.alloc(51_000_000, "image"));
    expect(await submitTo({ status: 200, body: tooLarge })).toMatchObject({ kind: "unknown" });
  });
}
