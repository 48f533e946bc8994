import { chooseScene } from "../scenes/choose-scene.ts";
import { scenes } from "../scenes/scenes.ts";
import type { WorldSpec } from "./spec.ts";

export const audioRateHz = 44_100;

const noises = {
  waves: "anoisesrc=c=pink:a=0.16:r=44100:s=1,lowpass=f=900,tremolo=f=0.16:d=0.75",
  wind: "anoisesrc=c=brown:a=0.12:r=44100:s=2,lowpass=f=420,tremolo=f=0.12:d=0.6",
};

/**
 * A quiet chord, so that no moment is silent, over it the noise of the scene and the reference
 * audio of the inputs `firstInput` and following.
 */
export function audioChain(
  { prompt, seconds, seed }: WorldSpec,
  audioFiles: number,
  firstInput: number,
): string {
  const { scene, tone } = chooseScene(prompt, seed);
  const { noise } = scenes[scene];
  const root = 110 * 2 ** (tone / 12);
  const chord = [1, 1.5, 2, 2.52]
    .map((step, at) => `sin(2*PI*${(root * step).toFixed(3)}*t)*(0.6+0.4*sin(${at + 1}*0.9*t))`)
    .join("+");
  const end = `atrim=end=${seconds}`;
  const loudness = (0.7 / Math.max(1, audioFiles)).toFixed(2);
  const given = Array.from(
    { length: audioFiles },
    (_, at) => `[${firstInput + at}:a]volume=${loudness},apad,${end}[given${at}]`,
  );
  const mixed = ["[chord]", "[noise]", ...given.map((_, at) => `[given${at}]`)];
  const limited = audioFiles > 0 ? "alimiter=limit=0.95," : "";
  return [
    // the chord stays below 1 kHz: a quarter of the samples is enough to compute
    `aevalsrc='0.035*(${chord})':s=${audioRateHz / 4}:d=${seconds},aresample=${audioRateHz},afade=d=0.3[chord]`,
    `${noises[noise]},${end}[noise]`,
    ...given,
    `${mixed.join("")}amix=inputs=${mixed.length}:normalize=0:duration=first,${limited}${end}[audio]`,
  ].join(";");
}
