const charsMax = 500;

/**
 * A vendor's text as we keep it: short, on one line, nothing in it that a database refuses, and
 * links without their query, which is where signatures are.
 */
export function detailOf(...parts: (string | number)[]): string {
  return parts
    .join(" ")
    .slice(0, charsMax)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, " ")
    .replaceAll(/(https?:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, "$1?…");
}
