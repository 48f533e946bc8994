import { ApiError } from "../errors.ts";
import { createGuesses } from "./limit-guesses.ts";

export interface NetworkLimit {
  /** Counts a request of a network, or throws 429. Returns the function that takes it back: it was right. */
  take(network: string): () => void;
}

/** For requests that name no person: so many of a network in ten minutes, per process. */
export function createNetworkLimit(requestsMax: number): NetworkLimit {
  const requests = createGuesses(requestsMax);
  return {
    take(network) {
      const seconds = requests.take(network);
      if (seconds !== null) throw new ApiError("too_many_guesses", { retryAfterSeconds: seconds });
      return () => requests.giveBack(network);
    },
  };
}
