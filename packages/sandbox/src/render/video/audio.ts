import type { Scene, WorldSpec } from "./compose.ts";

export const audioRateHz = 44_100;

/**
 * The first words spoken over a quiet chord, so that no moment is silent, and the reference audio
 * of the inputs `firstInput` and following over both.
 */
export function audioChain(spec: WorldSpec, scene: Scene, firstInput: number): string {
  const root = 110 * 2 ** (scene.tone / 12);
  const chord = [1, 1.5, 2, 2.52]
    .map((step, at) => `sin(2*PI*${(root * step).toFixed(3)}*t)*(0.6+0.4*sin(${at + 1}*0.9*t))`)
    .join("+");
  const { audioFiles } = scene.media;
  const end = `atrim=end=${spec.seconds}`;
  const loudness = (0.7 / Math.max(1, audioFiles)).toFixed(2);
  const given = Array.from(
    { length: audioFiles },
    (_, at) => `[${firstInput + at}:a]volume=${loudness},apad,${end}[given${at}]`,
  );
  const mixed = ["[chord]", "[speech]", ...given.map((_, at) => `[given${at}]`)];
  const limited = audioFiles > 0 ? "alimiter=limit=0.95," : "";
  return [
    // the chord stays below 1 kHz: a quarter of the samples is enough to compute
    `aevalsrc='0.035*(${chord})':s=${audioRateHz / 4}:d=${spec.seconds},aresample=${audioRateHz},afade=d=0.3[chord]`,
    `flite=textfile=speech.txt:voice=slt,aresample=${audioRateHz},adelay=400,volume=0.9,apad,${end}[speech]`,
    ...given,
    `${mixed.join("")}amix=inputs=${mixed.length}:normalize=0:duration=first,${limited}${end}[audio]`,
  ].join(";");
}
