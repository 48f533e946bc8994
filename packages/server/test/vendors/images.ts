import sharp from "sharp";
import { fitImage } from "../../src/media/image/fit-image.ts";
import type { ImageRequest } from "../../src/models/request.ts";
import type { VendorJob } from "../../src/vendors/vendor.ts";

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
