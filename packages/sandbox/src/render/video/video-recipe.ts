import { layerGraph, type Recipe, rawFile, rawInput } from "../layer-graph.ts";
import { framesPerSecond, type Layer } from "../scenes/stage.ts";
import { audioChain, audioRateHz } from "./audio.ts";
import type { Media, WorldSpec } from "./spec.ts";

/** The whole video as one ffmpeg call. */
export function writeVideoRecipe(
  spec: WorldSpec,
  layers: readonly Layer[],
  media: Media,
  outputName: string,
  encoder: readonly string[] = [],
): Recipe {
  const frames = frameChain(spec, media, layers.length);
  const audioInputsAt = layers.length + frames.layers.length;
  const graph = [
    ...layerGraph(layers, spec.seconds),
    ...frames.graph,
    `[${frames.result}]format=yuv420p[video]`,
    ...(spec.audio ? [audioChain(spec, media.audioFiles.length, audioInputsAt)] : []),
  ];
  const images = [...layers, ...frames.layers];
  const audio = spec.audio ? media.audioFiles : [];
  const samples = ["-f", "s16le", "-ar", String(audioRateHz), "-ac", "1"];
  const args = [
    "-hide_banner",
    "-nostdin",
    "-loglevel",
    "error",
    "-y",
    "-filter_complex_threads",
    "2",
    ...images.flatMap(({ name, image }) => rawInput(name, image)),
    ...audio.flatMap((_, at) => [...samples, "-i", `audio${at}.raw`]),
    "-filter_complex",
    graph.join(";"),
    "-map",
    "[video]",
    ...(spec.audio ? ["-map", "[audio]"] : []),
    "-c:v",
    "libx264",
    "-preset",
    "superfast",
    "-crf",
    "24",
    "-threads",
    "2",
    ...encoder,
    "-pix_fmt",
    "yuv420p",
    "-r",
    String(framesPerSecond),
    ...(spec.audio ? ["-c:a", "aac", "-b:a", "96k", "-ac", "1", "-t", String(spec.seconds)] : []),
    "-map_metadata",
    "-1",
    "-fflags",
    "+bitexact",
    "-movflags",
    "+faststart",
    "-f",
    "mp4",
    outputName,
  ];
  const files = [
    ...images.map(({ name, image }) => rawFile(name, image)),
    ...audio.map((bytes, at) => ({ name: `audio${at}.raw`, bytes })),
  ];
  return { files, args };
}

/**
 * First and last frame lie over everything else: each stands still for a moment at its end of the
 * video and fades where it meets the painted world.
 */
function frameChain({ seconds }: WorldSpec, media: Media, layers: number) {
  const frames = seconds * framesPerSecond;
  const still = Math.min(framesPerSecond / 4, Math.floor(frames / 8));
  const fading = Math.min(framesPerSecond, Math.floor(frames / 4));
  const ends = [
    { name: "first", image: media.firstFrame, start: 0, fade: `t=out:s=${still}:n=${fading}` },
    {
      name: "last",
      image: media.lastFrame,
      start: frames - still - fading,
      fade: `t=in:s=0:n=${fading}`,
    },
  ].flatMap(({ image, ...end }) => (image ? [{ ...end, image }] : []));
  let result = `v${layers - 1}`;
  const graph = ends.map(({ name, start, fade }, at) => {
    const shown = `loop=loop=${still + fading - 1}:size=1,format=yuva420p,fade=${fade}:alpha=1`;
    const times = `setpts=(N+${start})/${framesPerSecond}/TB`;
    const under = result;
    result = `with-${name}`;
    return `[${layers + at}:v]${shown},${times}[${name}];[${under}][${name}]overlay=eof_action=pass[${result}]`;
  });
  return { layers: ends, graph, result };
}
