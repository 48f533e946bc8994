import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { variable } from "../environment.ts";

type Way = "kitty" | "iterm" | "chafa" | "none";

const posterMsMax = 10_000;
const posterBytesMax = 4 * 1024 ** 2;
const rows = 12;
/** The length of the base64 in one escape sequence, as kitty's protocol requires. */
const kittyChunk = 4096;

/** The escapes that show an image in this terminal, or null if it cannot. Never an error: it is a nicety. */
export async function renderPoster(
  url: string | null,
  signal: AbortSignal,
): Promise<string | null> {
  const way = await findWay();
  if (url === null || way === "none") return null;
  try {
    const image = await fetchImage(url, signal);
    if (way === "iterm") return asIterm(image);
    if (way === "kitty") return asKitty(isPng(image) ? image : await toPng(image));
    return (await pipe("chafa", ["--size", `60x${rows}`, "-"], image)).toString("utf8");
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** A terminal inside tmux or screen does not pass images on. */
async function findWay(): Promise<Way> {
  const asked = variable("ZOETROPE_IMAGES");
  if (asked !== undefined) return isWay(asked) ? asked : "none";
  const term = variable("TERM") ?? "";
  const program = variable("TERM_PROGRAM") ?? "";
  if (!process.stdout.isTTY || /^(screen|tmux|dumb)/.test(term)) return "none";
  const isKitty = variable("KITTY_WINDOW_ID") !== undefined || /kitty|ghostty/.test(term);
  if (isKitty && (await isOnPath("ffmpeg"))) return "kitty";
  if (["iTerm.app", "WezTerm", "mintty"].includes(program)) return "iterm";
  return (await isOnPath("chafa")) ? "chafa" : "none";
}

function isWay(text: string): text is Way {
  return ["kitty", "iterm", "chafa", "none"].includes(text);
}

async function isOnPath(program: string): Promise<boolean> {
  for (const dir of (variable("PATH") ?? "").split(delimiter))
    if (
      await access(join(dir, program), constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return true;
  return false;
}

async function fetchImage(url: string, signal: AbortSignal): Promise<Buffer> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(posterMsMax)]);
  const response = await fetch(url, { signal: limit });
  if (!response.ok) throw new Error(`the poster answers ${response.status}`);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > posterBytesMax) throw new Error("the poster is too large");
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function isPng(image: Buffer): boolean {
  return image.subarray(1, 4).toString("latin1") === "PNG";
}

/** Kitty's protocol takes PNG; posters are WebP. */
function toPng(image: Buffer): Promise<Buffer> {
  const args = ["-loglevel", "error", "-i", "pipe:0", "-f", "image2pipe", "-c:v", "png", "pipe:1"];
  return pipe("ffmpeg", args, image);
}

async function pipe(program: string, args: string[], input: Buffer): Promise<Buffer> {
  const child = spawn(program, args, {
    stdio: ["pipe", "pipe", "ignore"],
    timeout: posterMsMax,
    env: { PATH: variable("PATH"), TERM: variable("TERM"), COLORTERM: variable("COLORTERM") },
  });
  child.stdin.on("error", () => {}); // one that has seen enough
  child.stdin.end(input);
  const [parts] = await Promise.all([child.stdout.toArray(), once(child, "close")]);
  if (child.exitCode !== 0 || parts.length === 0) throw new Error(`${program} failed`);
  return Buffer.concat(parts as Buffer[]);
}

function asIterm(image: Buffer): string {
  const fields = `inline=1;size=${image.length};height=${rows};preserveAspectRatio=1`;
  return `\u001b]1337;File=${fields}:${image.toString("base64")}\u0007`;
}

function asKitty(image: Buffer): string {
  const text = image.toString("base64");
  let escapes = "";
  for (let at = 0; at < text.length; at += kittyChunk) {
    const first = at === 0 ? `a=T,f=100,r=${rows},` : "";
    const more = at + kittyChunk < text.length ? 1 : 0;
    escapes += `\u001b_G${first}m=${more};${text.slice(at, at + kittyChunk)}\u001b\\`;
  }
  return escapes;
}
