import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { mainFile, type Person, startCli } from "./start-cli.ts";
import { type Line, readScreen, toSvg, toText } from "./terminal-screen.ts";

const readme = fileURLToPath(new URL("../README.md", import.meta.url));
const image = fileURLToPath(new URL("../generate.svg", import.meta.url));
const command = `zoetrope generate "A paper boat crosses a puddle" --model sd2 -o boat.mp4`;
const block = /(<!-- recorded -->\n```\n)([\s\S]*?)(```)/;

export interface Recording {
  text: string;
  svg: string;
}

/** Runs the command of the README in a terminal and returns its screen. */
export async function recordGenerate(person: Person): Promise<Recording> {
  const line = command.replace("zoetrope", `${process.execPath} ${mainFile}`);
  const env = { ...person.env, TERM: "xterm-256color", ZOETROPE_IMAGES: "iterm" };
  const program = ["script", "-qec", line, "/dev/null"];
  const { code, stdout } = await startCli({ ...person, env }, [], { program }).ended;
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stdout}`);
  const typed: Line = [
    { text: "$ ", styles: ["dim"] },
    { text: command, styles: [] },
  ];
  const lines = [typed, ...readScreen(stdout).map(normalise)];
  return { text: toText(lines), svg: toSvg(lines) };
}

/** Replaces everything that differs between runs and machines. */
function normalise(line: Line): Line {
  if ("image" in line) return line;
  return line.map(({ text, styles }) => ({
    styles,
    text: text
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "01a1e5f1-56df-7026-8008-1d86fe06ffa8")
      .replace(/\b(in )[0-9:]+ (s|min)\b/g, "$17 s")
      .replace(/[0-9.]+ (KB|MB)\b/g, "345 KB"),
  }));
}

/** Returns the committed recording without the poster's bytes: encoders differ. */
export async function readRecording(): Promise<Recording> {
  const text = (await readFile(readme, "utf8")).match(block)?.[2] ?? "";
  return { text, svg: withoutPoster(await readFile(image, "utf8")) };
}

export function withoutPoster(svg: string): string {
  return svg.replace(/(data:image\/webp;base64,)[A-Za-z0-9+/=]+/g, "$1");
}

export async function writeRecording({ text, svg }: Recording): Promise<void> {
  const before = await readFile(readme, "utf8");
  await writeFile(
    readme,
    before.replace(block, (_all, begin, _old, end) => begin + text + end),
  );
  await writeFile(image, svg);
}
