/** Characters that a terminal acts on, or that hide or reorder the text around them. */
const unsafe =
  /\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0/gu;

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, "0");

/**
 * Returns an escape that JavaScript, Python and JSON read; beyond 16 bits Python and shells need
 * the long form.
 */
function escapeOf(character: string, hasLongForm: boolean): string {
  const code = character.codePointAt(0) ?? 0;
  if (code <= 0xffff) return `\\u${hex(code, 4)}`;
  if (hasLongForm) return `\\U${hex(code, 8)}`;
  return `\\u${hex(character.charCodeAt(0), 4)}\\u${hex(character.charCodeAt(1), 4)}`;
}

/** JSON that also reads as JavaScript, with everything visible. */
export function jsonOf(value: unknown, indent = 0): string {
  return visible(JSON.stringify(value, null, indent), false);
}

function visible(json: string, hasLongForm: boolean): string {
  return json.replace(unsafe, (found) => (found === "\n" ? found : escapeOf(found, hasLongForm)));
}

/** Returns the text in single quotes, which shells read as it is. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A word of bash or zsh that is exactly this text. */
export function shellWord(given: string): string {
  const text = given.replaceAll("\0", "").toWellFormed(); // an argument can have neither
  if (/^[A-Za-z0-9_./:@%+=,-]+$/.test(text)) return text;
  if (text.search(unsafe) === -1) return quoted(text);
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll("'", "\\x27") // not \', and not a plain !, which interactive shells would expand
    .replaceAll("!", "\\x21")
    .replace(unsafe, (found) =>
      found === "\n" ? "\\n" : found < "\x80" ? byteEscape(found) : escapeOf(found, true),
    );
  return `$'${escaped}'`;
}

function byteEscape(character: string): string {
  return `\\x${hex(character.charCodeAt(0), 2)}`;
}

/** A literal of Python, indented by the given number of spaces inside. */
export function pythonOf(value: unknown, indent = 4, depth = 0): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return visible(JSON.stringify(value), true);
  const inner = " ".repeat(indent * (depth + 1));
  const outer = " ".repeat(indent * depth);
  const parts = Array.isArray(value)
    ? value.map((one) => pythonOf(one, indent, depth + 1))
    : Object.entries(value).map(
        ([name, one]) => `${jsonOf(name)}: ${pythonOf(one, indent, depth + 1)}`,
      );
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return `${open}${close}`;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${outer}${close}`;
}
