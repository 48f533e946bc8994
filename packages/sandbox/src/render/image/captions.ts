import { asksForCaption } from "../../kit/script.ts";
import { chooseScene } from "../scenes/choose-scene.ts";
import { font, type WorkFile } from "../video/ffmpeg-arguments.ts";
import { ffmpegColour, mix } from "../video/palettes.ts";
import { layOut, lineHeight } from "../video/text-layout.ts";
import type { Framed } from "./place-thumbnails.ts";

interface Captioned {
  prompt: string;
  seed: number;
  width: number;
  height: number;
  format: string;
}

/** The text in an image: the mark, the prompt, its measures, and the number of each thumbnail. */
export function writeCaptions(spec: Captioned, thumbnails: Framed[]) {
  const { palette } = chooseScene(spec.prompt, spec.seed);
  const isCaptioned = asksForCaption(spec.prompt);
  const unit = Math.min(spec.width, spec.height) / 720;
  const margin = Math.round(56 * unit);
  const markBorder = Math.round(11 * unit);
  const promptTop = margin + Math.round(78 * unit);
  const prompt = layOut(spec.prompt, {
    width: spec.width - 2 * margin,
    height: spec.height * 0.56 - promptTop,
    fontSizeMin: 17 * unit,
    fontSizeMax: 54 * unit,
  });
  const accent = ffmpegColour(palette.accent);
  const ground = ffmpegColour(mix(palette.ground, [0, 0, 0], 0.4));
  const shadow = Math.max(1, Math.round(2 * unit));
  const spacing = Math.round(prompt.fontSize * (lineHeight - 1.16));
  const badge = `fontcolor=${ground}:box=1:boxcolor=${accent}`;
  const bold = font("DejaVuSans-Bold");
  const filters = !isCaptioned
    ? []
    : [
        `drawtext=${bold}:text=SANDBOX:fontsize=${Math.round(24 * unit)}:${badge}:boxborderw=${markBorder}:x=${margin + markBorder}:y=${margin}`,
        `drawtext=${font("DejaVuSerif-Bold")}:textfile=prompt.txt:expansion=none:fontsize=${prompt.fontSize}:line_spacing=${spacing}:fontcolor=white:shadowcolor=${ground}@0.55:shadowx=${shadow}:shadowy=${shadow}:x=${margin}:y=${promptTop}`,
        `drawtext=${font("DejaVuSans")}:textfile=measures.txt:expansion=none:fontsize=${Math.round(19 * unit)}:fontcolor=0xffffff@0.82:x=${margin}:y=h-${Math.round(44 * unit)}`,
        ...thumbnails.map(({ x, y, frame, width, height }, at) => {
          const size = Math.max(6, Math.round(Math.min(26 * unit, Math.max(width, height) * 0.16)));
          const border = Math.round(size * 0.35);
          return `drawtext=${bold}:text=${at + 1}:fontsize=${size}:${badge}:boxborderw=${border}:x=${x + frame + border}:y=${y + frame + border}`;
        }),
      ];
  const files: WorkFile[] = [
    { name: "prompt.txt", bytes: prompt.lines.join("\n") || " " },
    { name: "measures.txt", bytes: `${spec.width} × ${spec.height}   ·   ${spec.format}` },
  ];
  return { filters, files };
}
