/** Characters that models count as two units when they limit prompts: CJK. */
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

export function promptUnits(text: string): number {
  let units = 0;
  for (const character of text) units += wide.test(character) ? 2 : 1;
  return units;
}
