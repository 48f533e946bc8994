import { chooseScene } from "../scenes/choose-scene.ts";
import { mix } from "../scenes/paint.ts";
import { scenes } from "../scenes/scenes.ts";
import type { Layer, Stage } from "../scenes/stage.ts";
import { galleryLayer } from "./gallery.ts";
import { type Media, noMedia, type WorldSpec } from "./spec.ts";

/** Images are painted no larger than this and scaled up once: 4k costs no more than 1080p. */
const paintedSideMax = 1_920;

/**
 * The layers that show a prompt: its scene or, over the ground of an edit, its sky and its hills.
 * The thumbnails of the references stand in front. The first layer is opaque and fills the frame.
 */
export function composeScene(spec: WorldSpec, media: Media = noMedia): [Layer, ...Layer[]] {
  const stage = stageOf(spec);
  const { scene } = chooseScene(spec.prompt, spec.seed);
  const layers = media.ground ? changeOver(stage, media.ground) : scenes[scene].paint(stage);
  if (media.thumbs.length > 0) layers.push(galleryLayer(spec, media.thumbs));
  return layers;
}

export function stageOf({ prompt, width, height, seconds, seed: given }: WorldSpec): Stage {
  const { palette, random, seed } = chooseScene(prompt, given);
  const unit = Math.min(width, height) / 720;
  const scale = Math.min(1, paintedSideMax / Math.max(width, height));
  return { width, height, seconds, palette, random, seed, unit, scale };
}

/**
 * Returns the layers that an edit adds to its ground: the prompt's sky washed over it, hills in
 * front, a balloon.
 */
function changeOver(stage: Stage, ground: NonNullable<Media["ground"]>): [Layer, ...Layer[]] {
  const { width, height } = stage;
  const whole = { width, height, x: "0", y: "0" };
  const kept = scenes.hills
    .paint(stage)
    .filter(({ name }) => ["near", "front", "balloon"].includes(name));
  const wash = { name: "wash", image: paintWash(stage), ...whole };
  return [{ name: "ground", image: ground, ...whole }, wash, ...kept];
}

const washHeight = 512;

/** The sky's colour from above, thinner towards the foot. */
function paintWash({ palette }: Stage): Layer["image"] {
  const bytes = Buffer.alloc(washHeight * 4);
  for (let y = 0; y < washHeight; y++) {
    const depth = y / washHeight;
    const opacity = 0.16 + 0.62 * (1 - Math.min(1, depth / 0.7)) ** 0.8;
    bytes.set([...mix(palette.skyTop, palette.skyMiddle, depth * 1.4), opacity * 255], y * 4);
  }
  return { width: 1, height: washHeight, pixelFormat: "rgba", bytes };
}
