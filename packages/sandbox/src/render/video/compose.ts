import { createHash } from "node:crypto";
import { type Place, paintGallery, placeThumbs } from "./gallery.ts";
import {
  type HillShape,
  type Image,
  paintBalloon,
  paintClouds,
  paintHills,
  paintLight,
  paintSky,
  type Random,
  randomFrom,
} from "./paint.ts";
import { mix, type Palette, palettes } from "./palettes.ts";

/** The input files: untrusted bytes. */
export interface VideoInputs {
  /** Images that fill the video at its very beginning and its very end. */
  firstFrame?: Buffer;
  lastFrame?: Buffer;
  /** Images and videos (MP4 or MOV) of which a numbered thumbnail is seen throughout. */
  references?: readonly Buffer[];
  clips?: readonly Buffer[];
  /** WAV or MP3, played from the beginning if the video has audio. */
  audioFiles?: readonly Buffer[];
}

/** What the painted world of a video depends on. */
export interface WorldSpec {
  prompt: string;
  width: number;
  height: number;
  seconds: number;
  audio: boolean;
  seed: number;
  /** A vendor's own mark, in letters and spaces. */
  watermark?: string;
}

/** Everything a video depends on: the same spec gives the same video. */
export interface VideoSpec extends WorldSpec, VideoInputs {}

/** An image pulled through the frame; positions are ffmpeg expressions of `t`, in seconds. */
export interface Layer {
  name: string;
  image: Image;
  width: number;
  height: number;
  x: string;
  y: string;
}

/** The inputs as the rendering ffmpeg finds them, decoded. */
export interface Media {
  /** In `first.raw` and `last.raw`, RGB of the video's size. */
  hasFirstFrame: boolean;
  hasLastFrame: boolean;
  thumbs: { label: string; image: Image }[];
  /** How many there are of `sound0.raw` and so on, 16 bit mono. */
  audioFiles: number;
}

const noMedia: Media = { hasFirstFrame: false, hasLastFrame: false, thumbs: [], audioFiles: 0 };

export interface Scene {
  palette: Palette;
  /** Half-tones above A for the chord of the audio track. */
  tone: number;
  sky: Layer;
  layers: Layer[];
  media: Media;
  labels: (Place & { label: string })[];
}

/** Images are painted no larger than this and scaled up once: 4k costs no more than 1080p. */
const paintedSideMax = 1_920;

/**
 * Paints the world of a video: its colours and shapes come from the prompt and the seed alone.
 * The thumbnails of the references stand in front of it.
 */
export function composeScene(spec: WorldSpec, media = noMedia): Scene {
  const digest = createHash("sha256")
    .update(`${spec.seed}\n${spec.prompt.toWellFormed()}`)
    .digest();
  const random = randomFrom(digest.readUInt32LE(0));
  const palette = palettes[digest.readUInt32LE(4) % palettes.length] ?? palettes[0];
  const stage: Stage = {
    ...spec,
    palette,
    random,
    unit: Math.min(spec.width, spec.height) / 720,
    scale: Math.min(1, paintedSideMax / Math.max(spec.width, spec.height)),
  };
  const sky = layer(stage, "sky", spec.width, spec.height, "0", "0", (width, height) =>
    paintSky(width, height, palette, random),
  );
  const layers = [lightLayer(stage), cloudLayer(stage), ...hillLayers(stage), balloonLayer(stage)];
  const places = placeThumbs(spec, media.thumbs.length);
  if (places.length > 0) layers.push(galleryLayer(spec, media, places));
  const labels = places.map((place, at) => ({ ...place, label: media.thumbs[at]?.label ?? "" }));
  return { palette, tone: digest.readUInt8(8) % 12, sky, layers, media, labels };
}

interface Stage extends WorldSpec {
  palette: Palette;
  random: Random;
  unit: number;
  scale: number;
}

function layer(
  stage: Stage,
  name: string,
  width: number,
  height: number,
  x: string,
  y: string,
  paint: (width: number, height: number) => Image,
): Layer {
  const image = paint(Math.ceil(width * stage.scale), Math.ceil(height * stage.scale));
  return { name, image, width: Math.ceil(width), height: Math.ceil(height), x, y };
}

function lightLayer(stage: Stage): Layer {
  const diameter = 110 * stage.unit;
  const side = diameter * 4;
  const x = Math.round(stage.width * (0.6 + stage.random() * 0.24) - side / 2);
  const y = Math.round(stage.height * (0.56 + stage.random() * 0.08) - side / 2);
  const rise = (9 * stage.unit).toFixed(3);
  return layer(stage, "light", side, side, String(x), `${y}-${rise}*t`, (width) =>
    paintLight(width / 4, stage.palette.light),
  );
}

function cloudLayer(stage: Stage): Layer {
  const speed = 14 * stage.unit;
  const width = stage.width + speed * stage.seconds;
  const height = 250 * stage.unit;
  const travel = Math.ceil(speed * stage.seconds);
  const colour = mix(stage.palette.skyLow, [255, 255, 255], 0.45);
  return layer(
    stage,
    "clouds",
    width,
    height,
    `-${travel}+${speed.toFixed(3)}*t`,
    String(Math.round(stage.height * 0.64 - height)),
    (paintedWidth, paintedHeight) => paintClouds(paintedWidth, paintedHeight, colour, stage.random),
  );
}

interface HillPlan {
  name: string;
  top: number;
  swing: number;
  wave: number;
  tree: number;
  speed: number;
  nearness: number;
}

/** From far to near: paler and slower, then darker and faster. Lengths in units of a 720p frame. */
const hillPlans: readonly HillPlan[] = [
  { name: "far", top: 0.66, swing: 46, wave: 620, tree: 0, speed: 12, nearness: 0.34 },
  { name: "middle", top: 0.74, swing: 34, wave: 480, tree: 16, speed: 24, nearness: 0.62 },
  { name: "near", top: 0.82, swing: 26, wave: 560, tree: 46, speed: 60, nearness: 0.88 },
  { name: "front", top: 0.93, swing: 10, wave: 760, tree: 0, speed: 120, nearness: 1 },
];

function hillLayers(stage: Stage): Layer[] {
  return hillPlans.map((plan) => {
    const speed = plan.speed * stage.unit;
    const headroom = (plan.swing * 2 + plan.tree) * stage.unit;
    const top = Math.round(stage.height * plan.top - headroom);
    const unit = stage.unit * stage.scale;
    const shape: HillShape = {
      baseY: headroom * stage.scale,
      swing: plan.swing * unit,
      wave: plan.wave * unit,
      tree: plan.tree * unit,
    };
    const ridge = mix(stage.palette.skyLow, stage.palette.ground, plan.nearness);
    const foot = mix(stage.palette.skyLow, stage.palette.ground, plan.nearness - 0.2);
    return layer(
      stage,
      plan.name,
      stage.width + speed * stage.seconds,
      stage.height - top,
      `-${speed.toFixed(3)}*t`,
      String(top),
      (width, height) =>
        paintHills(
          width,
          height,
          shape,
          { ridge, foot: plan.nearness === 1 ? ridge : foot },
          stage.random,
        ),
    );
  });
}

function balloonLayer(stage: Stage): Layer {
  const height = 150 * stage.unit;
  const width = height * 0.66 + 4;
  const x = Math.round(stage.width * (0.08 + stage.random() * 0.2));
  const y = Math.round(stage.height * 0.52);
  const speed = (26 * stage.unit).toFixed(3);
  const swing = (12 * stage.unit).toFixed(3);
  const { accent, light, ground } = stage.palette;
  const path = { x: `${x}+${speed}*t`, y: `${y}+${swing}*sin(t*1.1)` };
  return layer(stage, "balloon", width, height, path.x, path.y, (_, paintedHeight) =>
    paintBalloon(paintedHeight, accent, light, ground),
  );
}

function galleryLayer(spec: WorldSpec, media: Media, places: readonly Place[]): Layer {
  const thumbs = media.thumbs.map(({ image }) => image);
  const { image, x, y } = paintGallery(thumbs, places, spec);
  const { width, height } = image;
  return { name: "gallery", image, width, height, x: String(x), y: String(y) };
}
