/** A prompt laid out for the image: every line fits the width, all lines fit the height. */
export interface Layout {
  lines: string[];
  fontSize: number;
}

export interface Box {
  width: number;
  height: number;
  fontSizeMin: number;
  fontSizeMax: number;
}

const charactersMax = 2_000;
export const lineHeight = 1.32;

/** What a drawing font can be trusted with: no control characters, no invisible marks. */
export function drawable(prompt: string): string {
  return prompt
    .slice(0, charactersMax)
    .toWellFormed()
    .normalize("NFC")
    .replace(/\r\n?/g, "\n")
    .replace(/[^\S\n]+/g, " ")
    .replace(/[\p{Cc}--\n]/gv, " ")
    .replace(/\p{Cf}|\p{Co}|\p{Cn}|\p{Variation_Selector}/gu, "")
    .trim();
}

/** The largest type in which the prompt fits the box; at the smallest, the rest is cut with an ellipsis. */
export function layOut(prompt: string, box: Box): Layout {
  const text = drawable(prompt);
  let fontSize = box.fontSizeMax;
  for (; fontSize > box.fontSizeMin; fontSize *= 0.93) {
    const lines = wrap(text, box.width / fontSize);
    if (lines.length * fontSize * lineHeight <= box.height) break;
  }
  fontSize = Math.max(2, Math.floor(Math.max(fontSize, box.fontSizeMin)));
  const lines = wrap(text, box.width / fontSize);
  const linesMax = Math.max(1, Math.floor(box.height / (fontSize * lineHeight)));
  if (lines.length <= linesMax) return { lines, fontSize };
  const kept = lines.slice(0, linesMax);
  kept[linesMax - 1] = `${(kept[linesMax - 1] ?? "").slice(0, -2).trimEnd()}…`;
  return { lines: kept, fontSize };
}

/** Greedy lines of at most widthMax, measured in font sizes; a word longer than a line is cut. */
function wrap(text: string, widthMax: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    let width = 0;
    for (const word of paragraph.split(" ").flatMap((long) => cut(long, widthMax))) {
      const wordWidth = widthOf(word);
      if (line !== "" && width + spaceWidth + wordWidth > widthMax) {
        lines.push(line);
        line = "";
        width = 0;
      }
      width += (line === "" ? 0 : spaceWidth) + wordWidth;
      line = line === "" ? word : `${line} ${word}`;
    }
    if (line !== "" || lines.at(-1) !== "") lines.push(line);
  }
  return lines;
}

function cut(word: string, widthMax: number): string[] {
  if (widthOf(word) <= widthMax) return [word];
  const pieces: string[] = [];
  let piece = "";
  let width = 0;
  for (const character of word) {
    const characterWidth = widthOf(character);
    if (piece !== "" && width + characterWidth > widthMax) {
      pieces.push(piece);
      piece = "";
      width = 0;
    }
    piece += character;
    width += characterWidth;
  }
  pieces.push(piece);
  return pieces;
}

const spaceWidth = 0.33;

/** Close upper estimate for DejaVu Serif, in font sizes. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/[ijlI|.,:;'!()[\]]/.test(character)) width += 0.4;
    else if (/[mwMW@%]/.test(character)) width += 1.0;
    else if (/[A-Z&#]/.test(character)) width += 0.76;
    else if (/[\u{2E80}-\u{FFFF}\u{10000}-\u{10FFFF}]/u.test(character)) width += 1.0;
    else width += 0.64;
  }
  return width;
}

/** The first words, in letters that a speech engine supports. */
export function speechText(prompt: string, seconds: number): string {
  const said = drawable(prompt)
    .replace(/\[sandbox:[^\]]*\]/g, " ")
    .replace(/[^A-Za-z0-9 ,.!?'-]/g, " ")
    .split(/\s+/)
    .filter((word) => /[A-Za-z0-9]/.test(word) && word.length <= 24)
    .slice(0, Math.max(3, Math.floor(seconds * 2.2)))
    .join(" ");
  return said === "" ? "sandbox" : said;
}
