import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { ApiError, NoPermitFree } from "../errors.ts";
import { createSemaphore } from "../flow/semaphore.ts";

/** argon2id with the parameters that OWASP recommends: 19 MiB, two passes, one thread. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const waitingMax = 200;
const waitMsMax = 10_000;

export interface Passwords {
  /** Hashes a password in the turn of `network`: a network that guesses delays others by one hash. */
  hash(password: string, network: string): Promise<string>;
  /** Takes the same time for a person without a password, or for nobody: `null`. */
  matches(stored: string | null, password: string, network: string): Promise<boolean>;
}

/** Hashes passwords on at most half of the processors, so that guessing cannot stop other requests. */
export function createPasswords(): Passwords {
  const permitsMax = Math.max(1, Math.floor(availableParallelism() / 2));
  const semaphore = createSemaphore({
    permitsMax,
    waitingMax,
    waitMsMax,
    refuse: (why) =>
      why === "full"
        ? new ApiError("service_unavailable", { retryAfterSeconds: 5 })
        : new NoPermitFree(),
  });
  let decoy: Promise<string> | undefined;

  return {
    hash: (password, network) =>
      semaphore.use({ owner: network }, () => hash(password, parameters)),
    async matches(stored, password, network) {
      decoy ??= hash("nobody's password", parameters);
      const compared = stored ?? (await decoy);
      const isSame = await semaphore.use({ owner: network }, () => verify(compared, password));
      return isSame && stored !== null;
    },
  };
}
