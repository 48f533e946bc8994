import type { Image } from "./scenes/paint.ts";
import { framesPerSecond, type Layer } from "./scenes/stage.ts";

/** A file that ffmpeg reads by its bare name, from its working directory. */
export interface WorkFile {
  name: string;
  bytes: Buffer;
}

/** One ffmpeg call. It reads raw pixels and samples under fixed names, and nothing of a caller's. */
export interface Recipe {
  files: WorkFile[];
  args: string[];
}

export function rawFile(name: string, { bytes }: Image): WorkFile {
  return { name: `${name}.raw`, bytes };
}

export function rawInput(name: string, { width, height, pixelFormat }: Image): string[] {
  const size = `${width}x${height}`;
  const format = ["-f", "rawvideo", "-pixel_format", pixelFormat, "-video_size", size];
  return [...format, "-framerate", String(framesPerSecond), "-i", `${name}.raw`];
}

const formats = {
  video: { rgb24: "yuv420p", rgba: "yuva420p", overlay: "yuv420" },
  image: { rgb24: "rgb24", rgba: "rgba", overlay: "rgb" },
} as const;

/** A loop is scaled once, and then kept in memory, only as long as it is not larger than this. */
const keptPixelsMax = 40_000_000;

/**
 * Lays the inputs over each other, up to `[v…]` of the last. The first repeats to the end; each
 * other one is a frame that overlay holds and moves, or a loop. No loop may be longer than the
 * video: overlay runs as long as one of its inputs does. With 0 seconds it is their first moment.
 */
export function layerGraph(layers: readonly Layer[], seconds: number): string[] {
  const format = seconds > 0 ? formats.video : formats.image;
  return layers.map(({ image, width, height, x, y }, index) => {
    const { frames = 1 } = image;
    const scaled = `scale=${width}:${height}:flags=bicubic,format=${format[image.pixelFormat]}`;
    const repeats = Math.ceil((seconds * framesPerSecond) / frames);
    const times = `setpts=N/${framesPerSecond}/TB,trim=end=${seconds}`;
    const repeat = `loop=loop=${repeats}:size=${frames},${times}`;
    const isKept = width * height * frames <= keptPixelsMax;
    const looped = isKept ? `${scaled},${repeat}` : `${repeat},${scaled}`;
    const isStill = seconds === 0 || (index > 0 && frames === 1);
    const shown = `[${index}:v]${isStill ? scaled : looped}`;
    if (index === 0) return `${shown}[v0]`;
    const place = `x='${x}':y='${y}':format=${format.overlay}`;
    return `${shown}[l${index}];[v${index - 1}][l${index}]overlay=${place}[v${index}]`;
  });
}
