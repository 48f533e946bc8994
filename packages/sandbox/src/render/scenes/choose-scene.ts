import { createHash } from "node:crypto";
import { withoutDirectives } from "../../kit/script.ts";
import { type Mood, moods } from "./moods.ts";
import { type Palette, type Random, randomFrom } from "./paint.ts";
import { type SceneName, sceneNames, scenes } from "./scenes.ts";
import { moodWords, sceneWords } from "./words.ts";

export interface Choice {
  scene: SceneName;
  mood: Mood;
  palette: Palette;
  random: Random;
  seed: number;
  /** Half-tones above A for the chord of the audio track. */
  tone: number;
}

/**
 * Chooses the scene and the mood that the first fitting words of a prompt name. Without such words
 * the prompt's hash chooses the scene and, together with the seed, one of the moods that suit it.
 */
export function chooseScene(prompt: string, seed: number): Choice {
  const text = withoutDirectives(prompt).toWellFormed().trim();
  const ofPrompt = createHash("sha256").update(text).digest();
  const ofBoth = createHash("sha256").update(`${seed}\n${text}`).digest();
  const scene = firstNamed(sceneWords, text) ?? pick(sceneNames, ofPrompt.readUInt32LE(0));
  const mood = firstNamed(moodWords, text) ?? pick(scenes[scene].moods, ofBoth.readUInt32LE(4));
  return {
    scene,
    mood,
    palette: pick(moods[mood], ofBoth.readUInt32LE(8)),
    random: randomFrom(ofBoth.readUInt32LE(0)),
    seed: ofBoth.readUInt16LE(12),
    tone: ofBoth.readUInt8(14) % 12,
  };
}

function pick<T>(list: readonly [T, ...T[]], number: number): T {
  return list[number % list.length] ?? list[0];
}

/** A prompt can be long: what it shows is said early. */
const charactersMax = 2_000;

/** The entry one of whose words comes first in the text. */
function firstNamed<T extends string>(words: Record<T, RegExp>, text: string): T | undefined {
  const early = text.slice(0, charactersMax).toLowerCase();
  let [first, named]: [number, T | undefined] = [Number.POSITIVE_INFINITY, undefined];
  for (const name in words) {
    const at = early.search(words[name]);
    if (at >= 0 && at < first) [first, named] = [at, name];
  }
  return named;
}
