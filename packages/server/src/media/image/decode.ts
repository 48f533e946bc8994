import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { createSemaphore } from "../../flow/semaphore.ts";
import { type Confinement, confinedProgram, runConfined } from "../probe/confine.ts";
import type { Head, Request } from "./decoder/protocol.ts";

/** The image cannot be decoded. The message is plain text for operators. */
export class ImageError extends Error {}

const decodeMsMax = 90_000;
/**
 * The maximum memory one decoder may write to: an image of 50 MB, its pixels in strips, and the encoded
 * result.
 */
const memoryBytesMax = 1_500 * 1024 * 1024;
const answerBytesMax = 64 * 1024 * 1024;
const sidePixelsMax = 100_000;
const thumbSidePixelsMax = 64;

const permitsMax = 2 * availableParallelism();
/** Decoders of this process at a time; each of them lives for one image. */
const decoders = createSemaphore({ permitsMax, permitsPerOwnerMax: permitsMax });

const side = z.int().min(1).max(sidePixelsMax);
const thumbSide = z.int().min(1).max(thumbSidePixelsMax);
/** The checks of the decoder's output, which is not trusted: an image may have taken over the decoder. */
const factsOf = {
  measure: z.object({ contentType: z.string().max(40), width: side, height: side, pages: z.int() }),
  fit: z.object({ contentType: z.enum(["image/webp", "image/jpeg"]) }),
  scaleUp: z.object({}),
  label: z.object({}),
  xmp: z.object({}),
  poster: z.object({ thumb: z.object({ width: thumbSide, height: thumbSide }) }),
  views: z.object({ sides: z.array(z.object({ width: side, height: side })).max(2) }),
};
type Facts<Kind extends Request["kind"]> = z.output<(typeof factsOf)[Kind]>;
const headSchema: z.ZodType<Head> = z.union([
  z.object({ fault: z.string().max(2_000) }),
  z.object({ facts: z.unknown(), lengths: z.array(z.int().min(0)).max(2) }),
]);

const [nodePath, decoderPath] = ["/app/node", "/app/decoder"];
const programs = findPrograms();

/** Asks a new, confined decoder about one image: bytes, or a local file. Throws ImageError. */
export async function decode<Kind extends Request["kind"]>(
  request: Extract<Request, { kind: Kind }>,
  image: Buffer | string,
): Promise<{ facts: Facts<Kind>; parts: Buffer[] }> {
  const main = join(confinedProgram(decoderBox(image), decoderPath), "main.js");
  const { exitCode, stdoutBytes, complaint } = await decoders.use({ owner: "" }, () =>
    runInBox([main, JSON.stringify(request)], image, nicenessOf(request)),
  );
  if (exitCode !== 0) throw new ImageError(`the decoder ended early: ${complaint.trim()}`);
  try {
    return read(request.kind as Kind, stdoutBytes);
  } catch (error) {
    if (error instanceof ImageError) throw error;
    throw new ImageError("the decoder's answer cannot be read", { cause: error });
  }
}

/**
 * Returns the niceness of a request. Encoding a large image takes seconds of a processor, so all else has
 * priority.
 */
function nicenessOf({ kind }: Request): number {
  return kind === "fit" || kind === "scaleUp" ? 19 : 0;
}

/** Node with these arguments, confined as the decoder is. */
export function runInBox(args: readonly string[], image: Buffer | string, niceness = 0) {
  const box = decoderBox(image);
  const node = ["-n", String(niceness), confinedProgram(box, nodePath), ...args];
  return runConfined("/usr/bin/nice", node, box);
}

function decoderBox(image: Buffer | string): Confinement {
  return {
    inputs: {},
    programs,
    stdin: image,
    reservesMemory: true,
    msMax: decodeMsMax,
    memoryBytesMax,
    fileBytesMax: 0,
    stdoutBytesMax: answerBytesMax,
  };
}

function read<Kind extends Request["kind"]>(kind: Kind, answer: Buffer) {
  const end = answer.indexOf(10);
  const head = headSchema.parse(JSON.parse(answer.toString("utf8", 0, end)));
  if ("fault" in head) throw new ImageError(head.fault);
  const facts = factsOf[kind].parse(head.facts) as Facts<Kind>;
  const parts: Buffer[] = [];
  let from = end + 1;
  for (const length of head.lengths) {
    parts.push(answer.subarray(from, from + length));
    from += length;
  }
  if (from !== answer.length) throw new ImageError("the decoder's answer is not whole");
  return { facts, parts };
}

/** Node, the decoder, and sharp with its packages, by their places inside the box. */
function findPrograms(): Record<string, string> {
  const here = dirname(fileURLToPath(import.meta.url));
  const sharp = packageOf(createRequire(import.meta.url).resolve("sharp"));
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    readFileSync(join(sharp, "package.json"), "utf8"),
  ) as Record<"dependencies" | "optionalDependencies", Record<string, string>>;
  const names = ["sharp", ...Object.keys({ ...dependencies, ...optionalDependencies })];
  const installed = names.filter((name) => existsSync(join(sharp, "..", name)));
  return {
    [nodePath]: process.execPath,
    [decoderPath]: join(here, "decoder"),
    "/app/package.json": join(packageOf(here), "package.json"), // says that its modules are ES modules
    ...Object.fromEntries(
      installed.map((name) => [`/app/node_modules/${name}`, join(sharp, "..", name)]),
    ),
  };
}

/** The folder of the package that a file belongs to. */
function packageOf(path: string): string {
  const above = dirname(path);
  return existsSync(join(above, "package.json")) ? above : packageOf(above);
}
