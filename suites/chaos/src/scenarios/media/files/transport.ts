import { png } from "../../../kit/png.ts";
import { damaged, image, type MediaFile, video } from "../media-file.ts";
import { box, numbers } from "./mp4-boxes.ts";
import { h264, moving, type Renderer } from "./render.ts";

const assetBytesMax = 200 * 1024 * 1024;

/** Good files that come over the wire in a bad way, and the largest that may come. */
export async function transports({ render }: Renderer): Promise<MediaFile[]> {
  const small = await render("to-pad.mp4", ...moving(64, 64, 25, 1), ...h264);
  /** A video that ends in a box of zeros, which the server adds. */
  const padded = (bytes: number) => {
    const zerosAfter = bytes - small.length - 8;
    const head = Buffer.concat([numbers(zerosAfter + 8), box("free").subarray(4)]);
    return { declaredType: "VIDEO" as const, body: Buffer.concat([small, head]), zerosAfter };
  };
  const tooLarge = {
    kind: "refused" as const,
    reason: `The file could not be fetched: larger than ${assetBytesMax} bytes.`,
  };
  const lost = {
    kind: "refused" as const,
    reason: "The file could not be fetched: the connection failed.",
  };
  const still = png(500, 400);
  return [
    { name: "200-megabytes.mp4", ...padded(assetBytesMax), upload: video(64, 64, 1, "mp4") },
    { name: "over-200-megabytes.mp4", ...padded(assetBytesMax + 1), upload: tooLarge },
    {
      name: "over-200-megabytes-unsaid.mp4",
      ...padded(assetBytesMax + 1),
      contentLength: "none",
      upload: tooLarge,
    },
    {
      name: "over-200-megabytes-says-1000.mp4",
      ...padded(assetBytesMax + 1),
      contentLength: 1_000,
      upload: damaged,
    },
    {
      name: "says-more-than-comes.png",
      declaredType: "IMAGE",
      body: still,
      contentLength: 1_000_000,
      upload: lost,
      trials: [
        {
          entryPoint: "sd2 frame",
          via: "url",
          fault: "could not be fetched: the connection failed",
        },
      ],
    },
    {
      name: "changes.png",
      declaredType: "IMAGE",
      body: still,
      bodyLater: png(100, 4_000),
      upload: image(500, 400, "png"),
      trials: [
        { entryPoint: "sd2 frame", via: "url", fault: null },
        { entryPoint: "image-pro-2", via: "url", fault: null },
        { entryPoint: "image-pro-2", via: "asset", fault: null },
      ],
    },
    {
      name: "becomes-a-page.png",
      declaredType: "IMAGE",
      body: still,
      bodyLater: Buffer.from("<html>"),
      upload: image(500, 400, "png"),
    },
  ];
}
