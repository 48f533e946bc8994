import type { Readable } from "node:stream";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { createSemaphore } from "../flow/semaphore.ts";
import { askWorker } from "./ask-worker.ts";
import { findByPrints, findBySha256 } from "./find-outputs.ts";
import { passFile } from "./pass-file.ts";
import type { Verification } from "./schema.ts";
import { viewFinding } from "./view-finding.ts";

/** The bodies that one process receives at a time. */
const receivesMax = 6;
const retryAfterSeconds = 10;

const refuse = () => new ApiError("service_unavailable", { retryAfterSeconds });

interface Sender {
  network: string;
  /** Aborted when the client has left. */
  gone: AbortSignal;
}

interface Verifier {
  verify(body: Readable, sender: Sender): Promise<Verification>;
}

/** Checks files of strangers, which a worker opens. Each network sends one at a time. */
export function createVerifier(ctx: Context): Verifier {
  const receives = createSemaphore({
    permitsMax: receivesMax,
    permitsPerOwnerMax: 1,
    waitingMax: 0,
    refuse,
  });
  return {
    verify: (body, { network, gone }) =>
      receives.use({ owner: network }, async () => {
        const { sha256, ...opened } = await openRemotely(ctx, body, gone);
        const made = await findBySha256(ctx, sha256);
        const similar = made.length > 0 ? [] : await findByPrints(ctx, opened.prints);
        return viewFinding({ sha256, made, similar, ...opened });
      }),
  };
}

/** This process faces the internet and has no right to confine a program: a worker opens the file. */
async function openRemotely(ctx: Context, body: Readable, gone: AbortSignal) {
  try {
    using opening = await askWorker(ctx, gone);
    const sha256 = await passFile(body, opening.target);
    return { sha256, ...(await opening.found()) };
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (gone.aborted) throw new ApiError("request_timeout"); // the client has left
    ctx.log.error({ event: "verify.unavailable", reason: String(error) });
    throw new ApiError("verify_unavailable", { retryAfterSeconds });
  }
}
