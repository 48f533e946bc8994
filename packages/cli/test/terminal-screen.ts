/** A piece of a line in one style. */
interface Span {
  text: string;
  styles: readonly string[];
}

/** A line of text, or an image that the terminal was given. */
export type Line = readonly Span[] | { image: string };

const tokens =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what programs send to a terminal
  /\x1b\]1337;File=[^:]*:(?<image>[A-Za-z0-9+/=]+)\x07|\x1b\]8;[^\x1b]*\x1b\\|\x1b\[(?<sgr>[0-9;]*)m|\x1b\[(?<clear>K)|(?<end>\r*\n)|(?<home>\r)|(?<text>[^\x1b\r\n]+)|[\s\S]/g;

const styleOfCode: Readonly<Record<string, string>> = {
  1: "bold",
  2: "dim",
  31: "red",
  32: "green",
  36: "cyan",
};

/** Returns the final content of the screen: lines that were rewritten show their last text. */
export function readScreen(sent: string): Line[] {
  const lines: Line[] = [];
  let spans: Span[] = [];
  let styles: string[] = [];
  for (const { groups = {} } of sent.matchAll(tokens)) {
    const { image, sgr, clear, end, home, text } = groups;
    if (image !== undefined) lines.push({ image });
    else if (sgr !== undefined) styles = nextStyles(styles, sgr);
    else if (clear !== undefined || home !== undefined) spans = [];
    else if (text !== undefined) spans.push({ text, styles });
    else if (end !== undefined) {
      if (spans.length > 0) lines.push(spans);
      spans = [];
    }
  }
  return lines;
}

function nextStyles(styles: readonly string[], codes: string): string[] {
  let now = [...styles];
  for (const code of codes.split(";")) {
    const added = styleOfCode[code];
    if (added !== undefined) now.push(added);
    else if (code === "22") now = now.filter((one) => one !== "bold" && one !== "dim");
    else if (code === "39") now = now.filter((one) => one === "bold" || one === "dim");
    else now = [];
  }
  return now;
}

export function toText(lines: readonly Line[]): string {
  const texts = lines.flatMap((line) =>
    "image" in line ? [] : [line.map(({ text }) => text).join("")],
  );
  return `${texts.join("\n")}\n`;
}

const columnPx = 8.4;
const rowPx = 20;
const imagePx = 216;
const colours: Readonly<Record<string, string>> = {
  dim: "#8b949e",
  red: "#ff7b72",
  green: "#56d364",
  cyan: "#39c5cf",
};

/** The screen as an image. */
export function toSvg(lines: readonly Line[], columns = 80): string {
  const width = Math.round(columns * columnPx) + 32;
  let y = 56;
  const body = lines.map((line) => {
    if ("image" in line) {
      const at = y - 12;
      y += imagePx + 12;
      const href = `data:image/webp;base64,${line.image}`;
      return `<image x="16" y="${at}" height="${imagePx}" width="${imagePx * 2}" preserveAspectRatio="xMinYMin" href="${href}"/>`;
    }
    const text = `<text x="16" y="${y}" xml:space="preserve">${line.map(toTspan).join("")}</text>`;
    y += rowPx;
    return text;
  });
  const height = y;
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (fill, at) => `<circle cx="${20 + at * 18}" cy="18" r="6" fill="${fill}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e6edf3">`,
    "<title>A terminal after zoetrope generate</title>",
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    ...dots,
    ...body,
    "</svg>\n",
  ].join("\n");
}

function toTspan({ text, styles }: Span): string {
  const escaped = text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const colour = styles.map((style) => colours[style]).find((one) => one !== undefined);
  const fill = colour === undefined ? "" : ` fill="${colour}"`;
  const weight = styles.includes("bold") ? ` font-weight="bold"` : "";
  return fill + weight === "" ? escaped : `<tspan${fill}${weight}>${escaped}</tspan>`;
}
