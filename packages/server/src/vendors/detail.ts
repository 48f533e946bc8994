const charsMax = 500;

/**
 * A vendor's words as we keep them: short, on one line, nothing in them that a database refuses, and
 * links without their query, which is where signatures are.
 */
export function detailOf(...words: (string | number)[]): string {
  return words
    .join(" ")
    .slice(0, charsMax)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, " ")
    .replaceAll(/(https?:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, "$1?…");
}
