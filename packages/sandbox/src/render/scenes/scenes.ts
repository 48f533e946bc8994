import { paintCity } from "./city.ts";
import { paintDunes } from "./dunes.ts";
import { paintField } from "./field.ts";
import { paintFlow } from "./flow.ts";
import { paintForest } from "./forest.ts";
import { paintGalaxy } from "./galaxy.ts";
import { paintHills } from "./hills.ts";
import type { Mood } from "./moods.ts";
import { paintMountains } from "./mountains.ts";
import { paintNorthernLights } from "./northern-lights.ts";
import { paintRain } from "./rain.ts";
import { paintSea } from "./sea.ts";
import { paintSnow } from "./snow.ts";
import type { PaintScene } from "./stage.ts";
import { paintUnderwater } from "./underwater.ts";
import { paintZoetrope } from "./zoetrope.ts";

export const sceneNames = [
  "sea",
  "mountains",
  "city",
  "flow",
  "hills",
  "galaxy",
  "aurora",
  "snow",
  "rain",
  "dunes",
  "forest",
  "field",
  "underwater",
  "zoetrope",
] as const;

export type SceneName = (typeof sceneNames)[number];

interface SceneKind {
  paint: PaintScene;
  /** What becomes it when the prompt names no mood. */
  moods: readonly [Mood, ...Mood[]];
  /** The noise behind the chord of the audio track. */
  noise: "waves" | "wind" | "rain" | "none";
}

export const scenes: Record<SceneName, SceneKind> = {
  sea: {
    paint: paintSea,
    moods: ["dusk", "dawn", "day", "night", "pastel", "warm"],
    noise: "waves",
  },
  mountains: {
    paint: paintMountains,
    moods: ["dawn", "cold", "dusk", "pastel", "warm"],
    noise: "wind",
  },
  city: { paint: paintCity, moods: ["night", "neon", "dusk"], noise: "none" },
  flow: {
    paint: paintFlow,
    moods: ["neon", "dusk", "aurora", "pastel", "warm", "night"],
    noise: "none",
  },
  hills: { paint: paintHills, moods: ["dawn", "day", "dusk", "pastel", "warm"], noise: "wind" },
  galaxy: { paint: paintGalaxy, moods: ["night", "neon", "aurora", "dusk"], noise: "none" },
  aurora: { paint: paintNorthernLights, moods: ["aurora", "night", "neon"], noise: "wind" },
  snow: { paint: paintSnow, moods: ["cold", "night", "dusk", "pastel", "dawn"], noise: "wind" },
  dunes: { paint: paintDunes, moods: ["warm", "dusk", "dawn", "night", "pastel"], noise: "wind" },
  forest: {
    paint: paintForest,
    moods: ["dusk", "warm", "aurora", "cold", "night", "pastel"],
    noise: "wind",
  },
  field: { paint: paintField, moods: ["day", "warm", "dawn", "dusk", "pastel"], noise: "wind" },
  underwater: {
    paint: paintUnderwater,
    moods: ["night", "aurora", "day", "neon", "cold", "dusk"],
    noise: "waves",
  },
  zoetrope: {
    paint: paintZoetrope,
    moods: ["warm", "dusk", "monochrome", "night", "neon"],
    noise: "none",
  },
  rain: { paint: paintRain, moods: ["night", "neon", "dusk", "cold"], noise: "rain" },
};
