import { asksForCaption } from "../../kit/script.ts";
import { scenes } from "../scenes/scenes.ts";
import type { Scene, WorldSpec } from "./compose.ts";

export const audioRateHz = 44_100;

const noises = {
  waves: "anoisesrc=c=pink:a=0.16:r=44100:s=1,lowpass=f=900,tremolo=f=0.16:d=0.75",
  wind: "anoisesrc=c=brown:a=0.12:r=44100:s=2,lowpass=f=420,tremolo=f=0.12:d=0.6",
  rain: "anoisesrc=c=pink:a=0.08:r=44100:s=3,highpass=f=500,lowpass=f=5200",
  none: "",
};

/**
 * A quiet chord, so that no moment is silent, over it the noise of the scene or, in a captioned
 * video, the first words spoken, and the reference audio of the inputs `firstInput` and following.
 */
export function audioChain(spec: WorldSpec, scene: Scene, firstInput: number): string {
  const root = 110 * 2 ** (scene.choice.tone / 12);
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
  const noise = noises[scenes[scene.choice.scene].noise];
  const speech = `flite=textfile=speech.txt:voice=slt,aresample=${audioRateHz},adelay=400,volume=0.9,apad`;
  const over = asksForCaption(spec.prompt) ? speech : noise;
  const overs = over === "" ? [] : [`${over},${end}[over]`];
  const mixed = ["[chord]", ...overs.map(() => "[over]"), ...given.map((_, at) => `[given${at}]`)];
  const limited = audioFiles > 0 ? "alimiter=limit=0.95," : "";
  return [
    // the chord stays below 1 kHz: a quarter of the samples is enough to compute
    `aevalsrc='0.035*(${chord})':s=${audioRateHz / 4}:d=${spec.seconds},aresample=${audioRateHz},afade=d=0.3[chord]`,
    ...overs,
    ...given,
    `${mixed.join("")}amix=inputs=${mixed.length}:normalize=0:duration=first,${limited}${end}[audio]`,
  ].join(";");
}
