import sharp from "sharp";
import { fitImage } from "../../src/media/image/fit-image.ts";
import type { ImageRequest } from "../../src/models/request.ts";
import type { VendorJob } from "../../src/vendors/vendor.ts";
import { type StubAnswer, type StubVendor, startStubVendor } from "./stub-vendor.ts";

/** A PNG of noise: three bytes for each of its pixels, whatever is done to compress it. */
export async function noisyPng(width: number, height: number): Promise<Buffer> {
  const bytes = Buffer.alloc(width * height * 3);
  for (let at = 0, state = 1; at < bytes.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 24;
  }
  const raw = { width, height, channels: 3 as const };
  return sharp(bytes, { raw }).png({ compressionLevel: 0 }).toBuffer();
}

export function jpegOf(png: Buffer): Promise<Buffer> {
  return sharp(png).jpeg().toBuffer();
}

/** An order with these input files, in the order of the request's links. */
export function imageJob(request: ImageRequest, files: Buffer[] = []): VendorJob {
  return {
    request,
    callbackUrl: "http://127.0.0.1:9/",
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

/** A server that gives this answer to everything. */
export async function startAnswering(answer: StubAnswer): Promise<StubVendor> {
  const stub = await startStubVendor();
  stub.answer = () => answer;
  return stub;
}
