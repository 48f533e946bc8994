import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";

/** The contents of a file according to its headers. */
export interface Media {
  /** ffmpeg's name of the container, such as `png_pipe` or `mov,mp4,m4a,3gp,3g2,mj2`. */
  format: string;
  /** NaN when the file does not state it. */
  seconds: number;
  video: { width: number; height: number; framesPerSecond: number } | undefined;
  hasAudio: boolean;
}

const probeMsMax = 20_000;
/** Untrusted files: no format that names other files, nothing exotic. */
const demuxers = "png_pipe,jpeg_pipe,webp_pipe,bmp_pipe,tiff_pipe,gif,mov,matroska,wav,mp3";

const outputSchema = z.object({
  streams: z.array(
    z.object({
      codec_type: z.string().optional(),
      width: z.number().optional(),
      height: z.number().optional(),
      avg_frame_rate: z.string().optional(),
    }),
  ),
  format: z.object({ format_name: z.string(), duration: z.string().optional() }),
});

const run = promisify(execFile);

/** Reads a file's headers; undefined when it is no image, video or audio that a vendor takes. */
export async function probeMedia(path: string, stopping: AbortSignal): Promise<Media | undefined> {
  const stdout = await probe(path, stopping);
  const parsed = stdout === undefined ? undefined : outputSchema.safeParse(JSON.parse(stdout)).data;
  if (!parsed) return undefined;
  const video = parsed.streams.find((stream) => stream.codec_type === "video");
  const { width = 0, height = 0, avg_frame_rate: rate = "" } = video ?? {};
  const [frames = 0, seconds = 1] = rate.split("/").map(Number);
  return {
    format: parsed.format.format_name,
    seconds: Number(parsed.format.duration ?? Number.NaN),
    video:
      width > 0 && height > 0 ? { width, height, framesPerSecond: frames / seconds } : undefined,
    hasAudio: parsed.streams.some((stream) => stream.codec_type === "audio"),
  };
}

async function probe(path: string, stopping: AbortSignal): Promise<string | undefined> {
  const args = [
    "-v",
    "error",
    "-protocol_whitelist",
    "file",
    "-format_whitelist",
    demuxers,
    "-show_entries",
    "stream=codec_type,width,height,avg_frame_rate:format=format_name,duration",
    "-of",
    "json",
    `file:${path}`,
  ];
  try {
    const { stdout } = await run("ffprobe", args, {
      signal: stopping,
      timeout: probeMsMax,
      killSignal: "SIGKILL",
    });
    return stdout;
  } catch (error) {
    if (stopping.aborted) throw error;
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      throw new Error("ffprobe could not be started", { cause: error });
    }
    return undefined;
  }
}
