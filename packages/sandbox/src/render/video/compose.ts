import { type Choice, chooseScene } from "../scenes/choose-scene.ts";
import { scenes } from "../scenes/scenes.ts";
import type { Layer, Stage } from "../scenes/stage.ts";
import { type Place, paintGallery, placeThumbs } from "./gallery.ts";
import type { Image } from "./paint.ts";
import type { Palette } from "./palettes.ts";

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
  choice: Choice;
  palette: Palette;
  /** The first is opaque and fills the frame. */
  layers: [Layer, ...Layer[]];
  media: Media;
  labels: (Place & { label: string })[];
}

/** Images are painted no larger than this and scaled up once: 4k costs no more than 1080p. */
const paintedSideMax = 1_920;

/**
 * Paints the scene of a video, which depends on the prompt and the seed alone. The thumbnails of
 * the references stand in front of it.
 */
export function composeScene(spec: WorldSpec, media = noMedia): Scene {
  const choice = chooseScene(spec.prompt, spec.seed);
  const layers = scenes[choice.scene].paint(stageOf(spec, choice));
  const places = placeThumbs(spec, media.thumbs.length);
  if (places.length > 0) layers.push(galleryLayer(spec, media, places));
  const labels = places.map((place, at) => ({ ...place, label: media.thumbs[at]?.label ?? "" }));
  return { choice, palette: choice.palette, layers, media, labels };
}

export function stageOf({ width, height, seconds }: WorldSpec, choice: Choice): Stage {
  return {
    ...{ width, height, seconds, palette: choice.palette },
    ...{ random: choice.random, seed: choice.seed },
    unit: Math.min(width, height) / 720,
    scale: Math.min(1, paintedSideMax / Math.max(width, height)),
  };
}

function galleryLayer(spec: WorldSpec, media: Media, places: readonly Place[]): Layer {
  const thumbs = media.thumbs.map(({ image }) => image);
  const { image, x, y } = paintGallery(thumbs, places, spec);
  const { width, height } = image;
  return { name: "gallery", image, width, height, x: String(x), y: String(y) };
}
