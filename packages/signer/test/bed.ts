import { execFile, spawn } from "node:child_process";
import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { makeCertificates } from "../src/make-certificates.ts";
import type { Origin, Outcome, Question, Request, SignRequest } from "../src/protocol.ts";

const run = promisify(execFile);
const program = fileURLToPath(new URL("../src/sign-main.js", import.meta.url));

/** Videos and images by their extension. */
export const contentTypes = {
  mp4: "video/mp4",
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
} as const;
export type Extension = keyof typeof contentTypes;

export interface Bed {
  dir: string;
  /** The certificates from the leaf to the issuing CA. */
  chain: string;
  key: KeyObject;
  rootPem: string;
  /** A file of this type, as ffmpeg makes it. */
  media(extension: Extension): string;
  remove(): Promise<void>;
}

export async function openBed(): Promise<Bed> {
  const dir = await mkdtemp(join(tmpdir(), "zoetrope-signer-"));
  const certificates = join(dir, "certificates");
  const made = await makeCertificates({
    dir: certificates,
    organisation: "Example Studio",
    country: null,
    days: 90,
    issuerDir: null,
  });
  const media = (extension: Extension) => join(dir, `media.${extension}`);
  for (const extension of Object.keys(contentTypes) as Extension[]) {
    const output =
      extension === "mp4"
        ? ["-t", "1", "-pix_fmt", "yuv420p", "-movflags", "+faststart"]
        : ["-frames:v", "1"];
    const source = ["-f", "lavfi", "-i", "testsrc2=size=160x120:rate=12"];
    await run("ffmpeg", ["-v", "error", ...source, ...output, media(extension)]);
  }
  return {
    dir,
    chain: await readFile(made.certificateFile, "utf8"),
    key: createPrivateKey(await readFile(made.keyFile)),
    rootPem: await readFile(join(certificates, "root.pem"), "utf8"),
    media,
    remove: () => rm(dir, { recursive: true }),
  };
}

type Answer = (question: Question) => Promise<Buffer>;

/** Runs the program as it is, without confinement, and waits until it ends. */
export async function runProgram(request: Request, answer?: Answer) {
  const child = spawn(process.execPath, [program], { env: {}, stdio: "pipe" });
  const complaint = text(child.stderr);
  const closed = once(child, "close");
  const questions: Question["ask"][] = [];
  let outcome: Outcome | undefined;
  child.stdin.write(`${JSON.stringify(request)}\n`);
  for await (const line of createInterface({ input: child.stdout })) {
    const parsed = JSON.parse(line) as Question | Outcome;
    if (!("ask" in parsed)) {
      outcome = parsed;
      continue;
    }
    questions.push(parsed.ask);
    const bytes = await answer?.(parsed);
    child.stdin.write(`${JSON.stringify({ bytes: bytes?.toString("base64") })}\n`);
  }
  const [exitCode] = await closed;
  return { outcome, questions, exitCode, complaint: await complaint };
}

interface Order {
  extension: Extension;
  input?: string;
  output: string;
  origin?: Origin;
  answer?: Answer;
  isTimeStamped?: boolean;
  ignoresParent?: boolean;
}

/** Signs a file with the key of the bed. Returns what the program said. */
export async function signMedia(bed: Bed, { extension, output, ...order }: Order) {
  const { input = bed.media(extension), isTimeStamped = false, ignoresParent = false } = order;
  const request: SignRequest = {
    operation: "sign",
    input: { path: input, contentType: contentTypes[extension] },
    outputPath: output,
    title: "task_1",
    origin: order.origin ?? { action: "created", parent: null },
    ignoresParent,
    version: "1.2.3",
    algorithm: "es256",
    chain: bed.chain,
    isTimeStamped,
  };
  const own: Answer = async ({ bytes }) => signBytes(bed, bytes);
  return await runProgram(request, order.answer ?? own);
}

export function signBytes({ key }: Bed, bytes: string): Buffer {
  return sign("sha256", Buffer.from(bytes, "base64"), { key, dsaEncoding: "ieee-p1363" });
}

/** Changes one bit of a file. */
export async function flipBit(path: string, at: number): Promise<void> {
  const bytes = await readFile(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(path, bytes);
}
