import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Returns ffprobe's report about a video, independently of the service's own code. */
export async function probeVideo(path: string) {
  const report = ["-v", "error", "-of", "json", "-show_streams", "-show_format"];
  const { stdout } = await run("ffprobe", [...report, path]);
  const { streams, format } = JSON.parse(stdout) as {
    streams: { codec_type: string; codec_name: string; width?: number; height?: number }[];
    format: { duration: string };
  };
  const video = streams.find((stream) => stream.codec_type === "video");
  const audio = streams.find((stream) => stream.codec_type === "audio");
  return {
    seconds: Math.round(Number(format.duration) * 100) / 100,
    width: video?.width,
    height: video?.height,
    video: video?.codec_name,
    audio: audio?.codec_name ?? "none",
  };
}
