import { invalid } from "../errors.ts";

/**
 * The characters of CJK writing, by block rather than by script: their marks and signs belong to no single
 * script.
 */
const cjk =
  /[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{1aff0}-\u{1b16f}\u{20000}-\u{3ffff}]/u;

/** The maximum length of a character written with several code points, such as a flag. Longer ones are cut. */
const graphemeCodeUnitsMax = 64;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * The prompt as far as the vendor reads it: `unitsMax`, where a CJK character counts twice. The vendor would cut it silently: cutting it here lets the
 * caller know, and keeps the last character whole.
 */
export function cutPrompt(text: string, unitsMax: number): string {
  const cutAt = readableLength(text, unitsMax);
  if (cutAt === text.length) return text;
  const from = Math.max(0, cutAt - graphemeCodeUnitsMax);
  const around = text.slice(from, cutAt + graphemeCodeUnitsMax);
  const split = graphemes.segment(around).containing(cutAt - from);
  const cut = text.slice(0, split === undefined || split.index === 0 ? cutAt : from + split.index);
  if (cut.trim() === "")
    throw invalid("inputs.prompt", {
      en: `its first ${unitsMax} characters are white space`,
      zh: `前 ${unitsMax} 个字符都是空白`,
    });
  return cut;
}

/** Returns the readable length in code units; never inside a surrogate pair. */
function readableLength(text: string, unitsMax: number): number {
  let units = 0;
  let length = 0;
  for (const character of text) {
    units += cjk.test(character) ? 2 : 1;
    if (units > unitsMax) break;
    length += character.length;
  }
  return length;
}
