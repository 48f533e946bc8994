import { paintCity } from "./city.ts";
import { paintHills } from "./hills.ts";
import type { Mood } from "./moods.ts";
import { paintMountains } from "./mountains.ts";
import { paintSea } from "./sea.ts";
import type { PaintScene } from "./stage.ts";

export const sceneNames = ["sea", "mountains", "city", "hills"] as const;

export type SceneName = (typeof sceneNames)[number];

interface SceneKind {
  paint: PaintScene;
  /** The moods that suit the scene when the prompt names none. */
  moods: readonly [Mood, ...Mood[]];
  /** The noise behind the chord of the audio track. */
  noise: "waves" | "wind";
}

export const scenes: Record<SceneName, SceneKind> = {
  sea: {
    paint: paintSea,
    moods: ["dusk", "dawn", "day", "night", "pastel", "warm"],
    noise: "waves",
  },
  mountains: {
    paint: paintMountains,
    moods: ["dawn", "cold", "dusk", "pastel", "warm", "night"],
    noise: "wind",
  },
  city: { paint: paintCity, moods: ["night", "neon", "dusk", "cold"], noise: "wind" },
  hills: {
    paint: paintHills,
    moods: ["dawn", "day", "dusk", "pastel", "warm", "monochrome"],
    noise: "wind",
  },
};
