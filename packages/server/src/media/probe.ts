import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";

const run = promisify(execFile);
const probeMsMax = 20_000;
const outputBytesMax = 256 * 1024;

/** What a film is, measured from its bytes. */
export interface FilmFacts {
  width: number;
  height: number;
  durationMs: number;
  videoCodec: string;
  audioCodec: string | null;
}

const reportSchema = z.object({
  format: z.object({ duration: z.coerce.number().positive() }),
  streams: z.array(
    z.object({
      codec_type: z.string(),
      codec_name: z.string().default("unknown"),
      width: z.int().positive().optional(),
      height: z.int().positive().optional(),
    }),
  ),
});

/**
 * Reads a local file as a film; null when it is none. The allow-lists keep ffprobe from opening
 * anything but this file, whatever the file claims to be.
 */
export async function probeFilm(path: string): Promise<FilmFacts | null> {
  const lists = ["-protocol_whitelist", "file", "-format_whitelist", "mov,matroska"];
  const codecs = ["-codec_whitelist", "h264,hevc,vp8,vp9,libdav1d,aac,opus,mp3,vorbis"];
  const limits = ["-max_streams", "8", "-max_pixels", "36000000"];
  const report = ["-v", "error", "-of", "json", "-show_format", "-show_streams"];
  let stdout: string;
  try {
    ({ stdout } = await run(
      "ffprobe",
      [...report, ...lists, ...codecs, ...limits, `file:${path}`],
      {
        timeout: probeMsMax,
        killSignal: "SIGKILL",
        maxBuffer: outputBytesMax,
      },
    ));
  } catch (error) {
    // ffprobe ends with 1 for a file that it cannot read; anything else is our own trouble.
    if (error instanceof Error && "code" in error && error.code === 1) return null;
    throw error;
  }
  const parsed = reportSchema.safeParse(JSON.parse(stdout));
  if (!parsed.success) return null;
  const { format, streams } = parsed.data;
  const video = streams.find((stream) => stream.codec_type === "video");
  const audio = streams.find((stream) => stream.codec_type === "audio");
  if (video?.width === undefined || video.height === undefined) return null;
  return {
    width: video.width,
    height: video.height,
    durationMs: Math.round(format.duration * 1000),
    videoCodec: video.codec_name,
    audioCodec: audio?.codec_name ?? null,
  };
}
