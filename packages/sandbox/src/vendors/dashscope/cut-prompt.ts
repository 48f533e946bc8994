const unitsMax = 5_000;
const cjk =
  /[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{1aff0}-\u{1b16f}\u{20000}-\u{3ffff}]/u;

/** The vendor silently drops what exceeds 5000 characters, of which a CJK one counts twice. */
export function cutPrompt(prompt: string): string {
  let units = 0;
  let length = 0;
  for (const character of prompt) {
    units += cjk.test(character) ? 2 : 1;
    if (units > unitsMax) return prompt.slice(0, length);
    length += character.length;
  }
  return prompt;
}
