import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { ApiError } from "../errors.ts";
import { createSemaphore } from "../semaphore.ts";

/** argon2id with the parameters that OWASP recommends: 19 MiB, two passes, one thread. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const waitingMax = 200;
const waitMsMax = 10_000;

export interface Passwords {
  /** `network` takes its turn: whoever guesses delays others by one hash. */
  hash(password: string, network: string): Promise<string>;
  /** Takes the same time for a person without a password, or for nobody: `null`. */
  matches(stored: string | null, password: string, network: string): Promise<boolean>;
}

/** Hashes passwords on at most half of the processors, so that guessing cannot stop other requests. */
export function createPasswords(): Passwords {
  const permitsMax = Math.max(1, Math.floor(availableParallelism() / 2));
  const semaphore = createSemaphore({ permitsMax });
  let waiting = 0;
  let decoy: Promise<string> | undefined;

  async function inTurn<Result>(network: string, work: () => Promise<Result>): Promise<Result> {
    if (waiting >= waitingMax) throw new ApiError("service_unavailable", { retryAfterSeconds: 5 });
    waiting += 1;
    try {
      return await semaphore.use({ accountId: network, waitMsMax }, work);
    } finally {
      waiting -= 1;
    }
  }

  return {
    hash: (password, network) => inTurn(network, () => hash(password, parameters)),
    async matches(stored, password, network) {
      decoy ??= hash("nobody's password", parameters);
      const compared = stored ?? (await decoy);
      const isSame = await inTurn(network, () => verify(compared, password));
      return isSame && stored !== null;
    },
  };
}
