import { existsSync } from "node:fs";
import type { FilmSpec, Layer, Scene } from "./compose.ts";
import { ffmpegColour, mix } from "./palettes.ts";
import { layOut, lineHeight, sayable } from "./words.ts";

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
 * The whole film as one ffmpeg call. Words of the caller reach ffmpeg only as the contents of files
 * read with `expansion=none`; no argument contains any of them.
 */
export function writeRecipe(spec: FilmSpec, scene: Scene, outputName: string): Recipe {
  const pictures = [scene.sky, ...scene.layers];
  const words = captions(spec, scene);
  const graph = [
    ...pictureChain(spec, pictures),
    ...progressBar(spec, scene),
    `[barred]${words.filters.join(",")},format=yuv420p[video]`,
  ];
  const sound = spec.audio ? soundChain(spec, scene) : undefined;
  if (sound) graph.push(sound);
  const args = [
    ...["-hide_banner", "-nostdin", "-loglevel", "error", "-y"],
    ...["-filter_complex_threads", "2"],
    ...pictures.flatMap(rawInput),
    ...["-filter_complex", graph.join(";")],
    ...["-map", "[video]", ...(sound ? ["-map", "[sound]"] : [])],
    ...["-c:v", "libx264", "-preset", "superfast", "-crf", "24", "-threads", "2"],
    ...["-pix_fmt", "yuv420p", "-r", String(framesPerSecond)],
    ...(sound ? ["-c:a", "aac", "-b:a", "96k", "-ac", "1", "-t", String(spec.seconds)] : []),
    ...["-map_metadata", "-1", "-fflags", "+bitexact", "-movflags", "+faststart"],
    ...["-f", "mp4", outputName],
  ];
  const files: WorkFile[] = [
    ...pictures.map(({ name, picture }) => ({ name: `${name}.raw`, bytes: picture.bytes })),
    ...words.files,
    { name: "speech.txt", bytes: sayable(spec.prompt, spec.seconds) },
  ];
  return { files, args };
}

function rawInput({ name, picture }: Layer): string[] {
  const size = `${picture.width}x${picture.height}`;
  const format = ["-f", "rawvideo", "-pixel_format", picture.pixelFormat, "-video_size", size];
  return [...format, "-framerate", String(framesPerSecond), "-i", `${name}.raw`];
}

/** The sky repeats for ever; each layer is one frame that overlay holds and moves. */
function pictureChain(spec: FilmSpec, pictures: Layer[]): string[] {
  return pictures.map((layer, index) => {
    const scaled = `[${index}:v]scale=${layer.width}:${layer.height}:flags=bicubic`;
    if (index === 0) {
      return `${scaled},format=yuv420p,loop=loop=-1:size=1,setpts=N/${framesPerSecond}/TB,trim=end_frame=${spec.seconds * framesPerSecond}[v0]`;
    }
    const place = `x='${layer.x}':y='${layer.y}'`;
    return `${scaled},format=yuva420p[l${index}];[v${index - 1}][l${index}]overlay=${place}[v${index}]`;
  });
}

function progressBar(spec: FilmSpec, scene: Scene): string[] {
  const height = even(Math.min(spec.width, spec.height) / 120);
  const colour = ffmpegColour(scene.palette.accent);
  const frames = spec.seconds * framesPerSecond;
  const x = `x='-${spec.width}+${spec.width}*(t*${framesPerSecond}+1)/${frames}'`;
  return [
    `color=c=${colour}:s=${spec.width}x${height}:r=${framesPerSecond}:d=0.04,format=yuv420p[bar]`,
    `[v${scene.layers.length}][bar]overlay=${x}:y=${spec.height - height}[barred]`,
  ];
}

function even(length: number): number {
  return Math.max(2, 2 * Math.round(length / 2));
}

function captions(spec: FilmSpec, scene: Scene): { filters: string[]; files: WorkFile[] } {
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
  const filters = [
    `drawtext=${font("DejaVuSans-Bold")}:text=SANDBOX:fontsize=${markSize}:fontcolor=${ground}:box=1:boxcolor=${accent}:boxborderw=${markBorder}:x=${margin + markBorder}:y=${margin}`,
    `drawtext=${font("DejaVuSerif-Bold")}:textfile=prompt.txt:expansion=none:fontsize=${prompt.fontSize}:line_spacing=${Math.round(prompt.fontSize * (lineHeight - 1.16))}:fontcolor=white:shadowcolor=${ground}@0.55:shadowx=${shadow}:shadowy=${shadow}:x=${margin}:y=${promptTop}`,
    `drawtext=${font("DejaVuSans")}:textfile=parameters.txt:expansion=none:fontsize=${smallSize}:fontcolor=${pale}:x=${margin}:y=${footY}`,
    `drawtext=${font("DejaVuSansMono")}:textfile=counter.txt:fontsize=${smallSize}:fontcolor=${pale}:x=w-tw-${margin}:y=${footY}`,
  ];
  const second = `%{eif:floor(n/${framesPerSecond}):d:2}`;
  const files = [
    { name: "prompt.txt", bytes: prompt.lines.join("\n") || " " },
    { name: "parameters.txt", bytes: `${spec.width} × ${spec.height}   ·   ${spec.seconds} s` },
    { name: "counter.txt", bytes: `${second} s   frame %{eif:n+1:d:3}/${frames}` },
  ];
  return { filters, files };
}

/** The file where Debian puts it, or else whatever fontconfig takes for sans. */
function font(name: string): string {
  const file = `${fontFolder}/${name}.ttf`;
  return existsSync(file) ? `fontfile=${file}` : "font=Sans";
}

/** The first words spoken over a quiet chord, so that no moment is silent. */
function soundChain(spec: FilmSpec, scene: Scene): string {
  const root = 110 * 2 ** (scene.tone / 12);
  const chord = [1, 1.5, 2, 2.52]
    .map((step, at) => `sin(2*PI*${(root * step).toFixed(3)}*t)*(0.6+0.4*sin(${at + 1}*0.9*t))`)
    .join("+");
  const rate = 44_100;
  const end = `atrim=end=${spec.seconds}`;
  return [
    // the chord stays below 1 kHz: a quarter of the samples is enough to compute
    `aevalsrc='0.035*(${chord})':s=${rate / 4}:d=${spec.seconds},aresample=${rate},afade=d=0.3[chord]`,
    `flite=textfile=speech.txt:voice=slt,aresample=${rate},adelay=400,volume=0.9,apad,${end}[speech]`,
    `[chord][speech]amix=inputs=2:normalize=0:duration=first,${end}[sound]`,
  ].join(";");
}
