import { png, pngOfSize } from "../../../kit/png.ts";
import { type EntryPoint, image, type MediaFile, type Trial } from "../media-file.ts";
import { moving, type Renderer } from "./render.ts";

const megabyte = 1024 * 1024;

interface Rules {
  entryPoints: EntryPoint[];
  shortMin: number;
  longMax?: number;
  ratioMax?: [number, number];
}

/** The rules of every model for images, stated a second time. */
const rules: Record<string, Rules> = {
  sd2: { entryPoints: ["sd2 reference"], shortMin: 400, longMax: 6_000 },
  happyhorse: { entryPoints: ["happyhorse"], shortMin: 300, ratioMax: [5, 2] },
  edit: { entryPoints: ["image-pro-2", "image-plus-2"], shortMin: 256, ratioMax: [3, 1] },
};

/** Both ways in: by its address, which is judged when the task begins, and as an asset, at once. */
function both(entryPoints: EntryPoint[], fault: string | null): Trial[] {
  return entryPoints.flatMap((entryPoint) => [
    { entryPoint, via: "url" as const, fault },
    { entryPoint, via: "asset" as const, fault },
  ]);
}

/** Sides and ratios of every model, on both sides of each limit and in both directions. */
export function sidesAndRatios(): MediaFile[] {
  return Object.entries(rules).flatMap(([name, { entryPoints, shortMin, longMax, ratioMax }]) => {
    const of = (width: number, height: number, fault: string | null): MediaFile => ({
      name: `${name}-${width}x${height}.png`,
      declaredType: "IMAGE",
      body: png(width, height),
      upload: image(width, height, "png"),
      trials: both(entryPoints, fault),
    });
    const small = `must be at least ${shortMin} px on its shortest side`;
    const files = [
      of(shortMin, shortMin, null),
      of(shortMin - 1, shortMin, small),
      of(shortMin, shortMin - 1, small),
    ];
    if (longMax !== undefined) {
      const large = `must be at most ${longMax} px on its longest side`;
      files.push(of(longMax, shortMin, null), of(longMax + 1, shortMin, large));
    }
    if (ratioMax === undefined) return files;
    const long = (shortMin * ratioMax[0]) / ratioMax[1];
    const odd = `must have an aspect ratio between 1:${ratioMax[0] / ratioMax[1]}`;
    return [
      ...files,
      of(long, shortMin, null),
      of(shortMin, long, null),
      of(long + 1, shortMin, odd),
      of(shortMin, long + 1, odd),
    ];
  });
}

/** Sizes and formats of the models that have rules for them. */
export async function sizesAndFormats({ render }: Renderer): Promise<MediaFile[]> {
  const frame = [...moving(400, 400, 1, 1), "-frames:v", "1"];
  const bmp = await render("boundary.bmp", ...frame);
  const sized = (name: string, bytes: number, trials: Trial[]): MediaFile => ({
    name,
    declaredType: "IMAGE",
    body: pngOfSize(400, 400, bytes),
    upload: image(400, 400, "png"),
    trials,
  });
  const edits: EntryPoint[] = ["image-pro-2", "image-plus-2"];
  const over = (limit: number) => `must be at most ${limit} MB`;
  return [
    sized("10-megabytes.png", 10 * megabyte, both(["happyhorse"], null)),
    sized("over-10-megabytes.png", 10 * megabyte + 1, both(["happyhorse"], over(10))),
    sized("50-megabytes.png", 50 * megabyte, both(["image-pro-2"], null)),
    sized("over-50-megabytes.png", 50 * megabyte + 1, [
      ...edits.map((entryPoint) => ({ entryPoint, via: "asset" as const, fault: over(50) })),
      { entryPoint: "image-plus-2", via: "url", fault: over(50) },
    ]),
    {
      name: "format.bmp",
      declaredType: "IMAGE",
      body: bmp,
      upload: image(400, 400, "bmp"),
      trials: [
        { entryPoint: "happyhorse", via: "url", fault: null, isConverted: true },
        { entryPoint: "happyhorse", via: "asset", fault: null },
        ...both(["sd2 reference"], null),
        ...both(edits, "must be jpeg, png, webp, but is image/bmp"),
      ],
    },
  ];
}
