import { existsSync } from "node:fs";
import { asksForCaption } from "../../kit/script.ts";
import type { Layer } from "../scenes/stage.ts";
import { audioChain, audioRateHz } from "./audio.ts";
import type { Scene, WorldSpec } from "./compose.ts";
import type { Image } from "./paint.ts";
import { ffmpegColour, mix } from "./palettes.ts";
import { layOut, lineHeight, speechText } from "./text-layout.ts";

export const framesPerSecond = 24;

/** A file that ffmpeg reads by its bare name, from its working directory. */
export interface WorkFile {
  name: string;
  bytes: Buffer | string;
}

export interface Recipe {
  files: WorkFile[];
  args: string[];
}

const fontFolder = "/usr/share/fonts/truetype/dejavu";

/**
 * The whole video as one ffmpeg call. Text of the caller reaches ffmpeg only as the contents of files
 * read with `expansion=none`; no argument contains any of them. Of the caller's media it reads raw
 * files under fixed names, which have been decoded before.
 */
export function writeRecipe(
  spec: WorldSpec,
  scene: Scene,
  outputName: string,
  encoder: readonly string[] = [],
): Recipe {
  const { layers } = scene;
  const captionText = captions(spec, scene);
  const frames = frameChain(spec, scene, layers.length);
  const graph = [
    ...layerChain(spec, layers),
    ...(captionText.isCaptioned
      ? progressBar(spec, scene)
      : [`[v${layers.length - 1}]null[barred]`]),
    `[barred]${captionText.filters.join(",") || "null"}[world]`,
    ...frames.graph,
    `[${frames.result}]${watermark(spec)}format=yuv420p[video]`,
  ];
  const audioInputsAt = layers.length + frames.names.length;
  const audioGraph = spec.audio ? audioChain(spec, scene, audioInputsAt) : undefined;
  if (audioGraph) graph.push(audioGraph);
  const args = [
    ...["-hide_banner", "-nostdin", "-loglevel", "error", "-y"],
    ...["-filter_complex_threads", "2"],
    ...layers.flatMap(({ name, image }) => rawInput(name, image)),
    ...frames.names.flatMap((name) => rawInput(name, { ...spec, pixelFormat: "rgb24" })),
    ...(audioGraph ? audioInputs(scene) : []),
    ...["-filter_complex", graph.join(";")],
    ...["-map", "[video]", ...(audioGraph ? ["-map", "[audio]"] : [])],
    ...["-c:v", "libx264", "-preset", "superfast", "-crf", "24", "-threads", "2", ...encoder],
    ...["-pix_fmt", "yuv420p", "-r", String(framesPerSecond)],
    ...(audioGraph ? ["-c:a", "aac", "-b:a", "96k", "-ac", "1", "-t", String(spec.seconds)] : []),
    ...["-map_metadata", "-1", "-fflags", "+bitexact", "-movflags", "+faststart"],
    ...["-f", "mp4", outputName],
  ];
  const files: WorkFile[] = [
    ...layers.map(({ name, image }) => ({ name: `${name}.raw`, bytes: image.bytes })),
    ...captionText.files,
    { name: "speech.txt", bytes: speechText(spec.prompt, spec.seconds) },
  ];
  return { files, args };
}

function rawInput(name: string, { width, height, pixelFormat }: Omit<Image, "bytes">): string[] {
  const size = `${width}x${height}`;
  const format = ["-f", "rawvideo", "-pixel_format", pixelFormat, "-video_size", size];
  return [...format, "-framerate", String(framesPerSecond), "-i", `${name}.raw`];
}

function audioInputs({ media }: Scene): string[] {
  const format = ["-f", "s16le", "-ar", String(audioRateHz), "-ac", "1"];
  const names = Array.from({ length: media.audioFiles }, (_, at) => `audio${at}.raw`);
  return names.flatMap((name) => [...format, "-i", name]);
}

/** A loop is scaled once, and then kept in memory, only as long as it is not larger than this. */
const keptPixelsMax = 40_000_000;

/**
 * The first layer repeats to the end; each other one is a frame that overlay holds and moves, or a
 * loop. No loop may be longer than the video: overlay goes on as long as one of its inputs does.
 */
function layerChain(spec: WorldSpec, layers: Layer[]): string[] {
  return layers.map((layer, index) => {
    const format =
      index === 0 ? "yuv420p" : layer.image.pixelFormat === "rgba" ? "yuva420p" : "yuv420p";
    const scaled = `scale=${layer.width}:${layer.height}:flags=bicubic,format=${format}`;
    const frames = layer.image.frames ?? 1;
    const rate = layer.framesPerSecond ?? framesPerSecond;
    const repeats = Math.ceil((spec.seconds * rate) / frames);
    const repeat = `loop=loop=${repeats}:size=${frames},setpts=N/${rate}/TB,trim=end=${spec.seconds}`;
    const isKept = layer.width * layer.height * frames <= keptPixelsMax;
    const looped = isKept ? `${scaled},${repeat}` : `${repeat},${scaled}`;
    if (index === 0) {
      return `[0:v]${looped}[v0]`;
    }
    const still = frames > 1 ? looped : scaled;
    const moving =
      layer.turnSeconds === undefined ? still : `format=yuva420p,${repeat},${turned(layer)}`;
    const place = `x='${layer.x}':y='${layer.y}'`;
    return `[${index}:v]${moving}[l${index}];[v${index - 1}][l${index}]overlay=${place}[v${index}]`;
  });
}

/** Turned as small as it was painted, then scaled: that is cheaper than the other way round. */
function turned({ turnSeconds = 1, width, height }: Layer): string {
  const turn = `rotate=a='2*PI*t/${turnSeconds}':c=none`;
  return `${turn},scale=${width}:${height}:flags=bilinear,format=yuva420p`;
}

/**
 * First and last frame lie over everything else, text too: each stands still for a moment at its
 * end of the video and fades where it meets the painted world.
 */
function frameChain(spec: WorldSpec, { media }: Scene, firstInput: number) {
  const frames = spec.seconds * framesPerSecond;
  const still = Math.min(framesPerSecond / 4, Math.floor(frames / 8));
  const fading = Math.min(framesPerSecond, Math.floor(frames / 4));
  const shown = `loop=loop=${still + fading - 1}:size=1,format=yuva420p`;
  const names: string[] = [];
  const graph: string[] = [];
  let result = "world";
  const lay = (name: string, startFrame: number, fade: string) => {
    const times = `setpts=(N+${startFrame})/${framesPerSecond}/TB`;
    graph.push(`[${firstInput + names.length}:v]${shown},${fade}:alpha=1,${times}[${name}]`);
    graph.push(`[${result}][${name}]overlay=eof_action=pass[with-${name}]`);
    names.push(name);
    result = `with-${name}`;
  };
  if (media.hasFirstFrame) lay("first", 0, `fade=t=out:s=${still}:n=${fading}`);
  if (media.hasLastFrame) lay("last", frames - still - fading, `fade=t=in:s=0:n=${fading}`);
  return { names, graph, result };
}

function progressBar(spec: WorldSpec, scene: Scene): string[] {
  const height = even(Math.min(spec.width, spec.height) / 120);
  const colour = ffmpegColour(scene.palette.accent);
  const frames = spec.seconds * framesPerSecond;
  const x = `x='-${spec.width}+${spec.width}*(t*${framesPerSecond}+1)/${frames}'`;
  return [
    `color=c=${colour}:s=${spec.width}x${height}:r=${framesPerSecond}:d=0.04,format=yuv420p[bar]`,
    `[v${scene.layers.length - 1}][bar]overlay=${x}:y=${spec.height - height}[barred]`,
  ];
}

function even(length: number): number {
  return Math.max(2, 2 * Math.round(length / 2));
}

interface Captions {
  isCaptioned: boolean;
  filters: string[];
  files: WorkFile[];
}

/** The numbers of thumbnails always; the prompt and the measures where the prompt asks for them. */
function captions(spec: WorldSpec, scene: Scene): Captions {
  const isCaptioned = asksForCaption(spec.prompt);
  const unit = Math.min(spec.width, spec.height) / 720;
  const margin = Math.round(56 * unit);
  const markSize = Math.round(24 * unit);
  const markBorder = Math.round(11 * unit);
  const smallSize = Math.round(19 * unit);
  const promptTop = margin + Math.round(78 * unit);
  const prompt = layOut(spec.prompt, {
    width: spec.width - 2 * margin,
    height: spec.height * 0.56 - promptTop,
    fontSizeMin: 17 * unit,
    fontSizeMax: 54 * unit,
  });
  const accent = ffmpegColour(scene.palette.accent);
  const ground = ffmpegColour(mix(scene.palette.ground, [0, 0, 0], 0.4));
  const pale = "0xffffff@0.82";
  const footY = `h-${Math.round(44 * unit)}`;
  const shadow = Math.max(1, Math.round(2 * unit));
  const frames = spec.seconds * framesPerSecond;
  const filters = !isCaptioned
    ? []
    : [
        `drawtext=${font("DejaVuSans-Bold")}:text=SANDBOX:fontsize=${markSize}:fontcolor=${ground}:box=1:boxcolor=${accent}:boxborderw=${markBorder}:x=${margin + markBorder}:y=${margin}`,
        `drawtext=${font("DejaVuSerif-Bold")}:textfile=prompt.txt:expansion=none:fontsize=${prompt.fontSize}:line_spacing=${Math.round(prompt.fontSize * (lineHeight - 1.16))}:fontcolor=white:shadowcolor=${ground}@0.55:shadowx=${shadow}:shadowy=${shadow}:x=${margin}:y=${promptTop}`,
        `drawtext=${font("DejaVuSans")}:textfile=parameters.txt:expansion=none:fontsize=${smallSize}:fontcolor=${pale}:x=${margin}:y=${footY}`,
        `drawtext=${font("DejaVuSansMono")}:textfile=counter.txt:fontsize=${smallSize}:fontcolor=${pale}:x=w-tw-${margin}:y=${footY}`,
      ];
  const labelSize = Math.round(17 * unit);
  const labelBorder = Math.max(2, Math.round(5 * unit));
  for (const { label, x, y } of scene.labels) {
    filters.push(
      `drawtext=${font("DejaVuSans-Bold")}:text='${label}':fontsize=${labelSize}:fontcolor=${ground}:box=1:boxcolor=${accent}:boxborderw=${labelBorder}:x=${x + labelBorder}:y=${y + labelBorder}`,
    );
  }
  const second = `%{eif:floor(n/${framesPerSecond}):d:2}`;
  const files = [
    { name: "prompt.txt", bytes: prompt.lines.join("\n") || " " },
    { name: "parameters.txt", bytes: `${spec.width} × ${spec.height}   ·   ${spec.seconds} s` },
    { name: "counter.txt", bytes: `${second} s   frame %{eif:n+1:d:3}/${frames}` },
  ];
  return { isCaptioned, filters, files: isCaptioned ? files : [] };
}

/** At the bottom right, over everything else. */
function watermark({ width, height, watermark: mark }: WorldSpec): string {
  if (mark === undefined) return "";
  const unit = Math.min(width, height) / 720;
  const place = `x=w-tw-${Math.round(56 * unit)}:y=h-${Math.round(92 * unit)}`;
  const style = `fontsize=${Math.round(30 * unit)}:fontcolor=white@0.8:borderw=${Math.max(1, Math.round(2 * unit))}:bordercolor=black@0.5`;
  return `drawtext=${font("DejaVuSans-Bold")}:text='${mark}':expansion=none:${style}:${place},`;
}

/** The file where Debian puts it, or else whatever fontconfig takes for sans. */
export function font(name: string): string {
  const file = `${fontFolder}/${name}.ttf`;
  return existsSync(file) ? `fontfile=${file}` : "font=Sans";
}
