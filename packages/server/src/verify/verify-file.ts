import { join } from "node:path";
import type { Readable } from "node:stream";
import { ApiError } from "../errors.ts";
import { createSemaphore } from "../flow/semaphore.ts";
import { readMarks } from "../labels/read-marks.ts";
import { decode, ImageError } from "../media/image/decode.ts";
import { printOfPixels } from "../media/image/print.ts";
import { inWorkDir } from "../media/in-work-dir.ts";
import { checkConfinement } from "../media/probe/check-confinement.ts";
import { runUnconfined } from "../media/probe/confine.ts";
import { extractPixels, frameSide } from "../media/probe/extract-pixels.ts";
import { type MediaFacts, probeMedia } from "../media/probe/probe.ts";
import type { VerifyContext } from "./context.ts";
import { findByPrints, findBySha256 } from "./find-outputs.ts";
import { receiveFile } from "./receive-file.ts";
import type { Verification } from "./schema.ts";
import { viewFinding } from "./view-finding.ts";

/** The bodies that arrive at a time: each has a file of up to 200 MB in the folder for temporary files. */
const receivesMax = 6;
/** The files that are opened at a time. Customers' work has all other processors and permits. */
const opensMax = 1;
const openWaitMsMax = 60_000;
/** The owner of this work where it meets that of customers. */
const owner = "verify";
/** Crops that a print does not survive by itself: the shares of a side that may be missing at each end. */
const margins = [0, 0.015, 0.03];

const refuse = () => new ApiError("service_unavailable", { retryAfterSeconds: 10 });

interface Verifier {
  verify(body: Readable, network: string): Promise<Verification>;
}

/** Checks files of strangers. Each network sends one at a time. */
export function createVerifier(ctx: VerifyContext): Verifier {
  const receives = createSemaphore({
    permitsMax: receivesMax,
    permitsPerOwnerMax: 1,
    waitingMax: 0,
    refuse,
  });
  const opens = createSemaphore({ permitsMax: opensMax, waitMsMax: openWaitMsMax, refuse });
  let confined: Promise<void> | undefined;
  return {
    verify: (body, network) =>
      receives.use({ owner: network }, async () => {
        confined ??= requireConfinement(ctx);
        await confined.catch((error: unknown) => {
          confined = undefined;
          throw error;
        });
        return inWorkDir(ctx, "verify-", async (dir) => {
          const path = join(dir, "file");
          const { sha256 } = await receiveFile(body, path);
          const made = await findBySha256(ctx, sha256);
          const opened = await opens.use({ owner: network }, () => openFile(ctx, path));
          const similar = made.length > 0 ? [] : await findByPrints(ctx, opened.prints);
          return viewFinding({ sha256, made, similar, ...opened });
        });
      }),
  };
}

/** In production, strangers' files are opened confined or not at all. */
async function requireConfinement({ config, log }: VerifyContext): Promise<void> {
  const { isConfined, fault } = await checkConfinement();
  if (isConfined) return;
  log.error({ event: "confinement.missing", reason: fault });
  if (config.isProduction) throw new ApiError("verify_unavailable");
  runUnconfined(fault ?? "unknown");
}

async function openFile(ctx: VerifyContext, path: string) {
  const read = await ctx.programs.use({ owner, waitMsMax: openWaitMsMax }, async () => {
    const facts = await probeMedia(path);
    return facts === null ? null : { facts, prints: await printsOf(path, facts) };
  });
  if (read === null) return { isOpened: false, prints: [], marks: [] };
  const { facts, prints } = read;
  return { isOpened: true, prints, marks: await readMarks(ctx, path, facts, owner) };
}

async function printsOf(path: string, { type, contentType }: MediaFacts): Promise<string[]> {
  if (type === "AUDIO") return [];
  const pictures =
    type === "VIDEO"
      ? (await extractPixels(path, contentType)).map((pixels) => ({
          width: frameSide,
          height: frameSide,
          pixels,
        }))
      : await readPicture(path);
  return pictures.flatMap(({ width, height, pixels }) =>
    margins.flatMap((margin) => printOfPixels(width, height, pixels, margin) ?? []),
  );
}

async function readPicture(path: string) {
  try {
    const { facts, parts } = await decode({ kind: "poster" }, path);
    const [, pixels] = parts;
    return pixels === undefined ? [] : [{ ...facts.thumb, pixels }];
  } catch (error) {
    if (error instanceof ImageError) return []; // a BMP, which has been probed by ffprobe
    throw error;
  }
}
