import { ApiError } from "../errors.ts";
import { createWindow } from "../flow/window.ts";

const windowMs = 10 * 60_000;
const guessesMax = { network: 30, person: 10, device: 10, mails: 20 };

/** Counts failed guesses per name in windows of ten minutes. */
function createGuesses(max: number) {
  const guesses = createWindow(windowMs);
  return {
    /** Returns the seconds to wait if the budget is used up; otherwise null, and one is taken. */
    take(name: string): number | null {
      const { count, secondsLeft } = guesses.add(name);
      if (count <= max) return null;
      guesses.add(name, -1);
      return secondsLeft;
    },
    giveBack(name: string): void {
      guesses.add(name, -1);
    },
  };
}

export interface GuessLimit {
  /** Takes a guess, or throws 429. Returns the function that gives it back: it was right. */
  take(guess: { email: string; network: string; device: string | null }): () => void;
  /** Counts a request for a mail of a network, which anybody can make; throws 429. */
  takeMail(network: string): void;
}

/**
 * Limits guessing: strangers have a budget per network, over all people, and one per person, over all
 * networks. A browser in which the person signed in before has its own, which strangers cannot use up.
 * Guesses are counted by the address that was typed, so that the response is the same for an unknown
 * person. The counts are per process.
 */
export function createGuessLimit(): GuessLimit {
  const networks = createGuesses(guessesMax.network);
  const people = createGuesses(guessesMax.person);
  const devices = createGuesses(guessesMax.device);
  const mails = createGuesses(guessesMax.mails);
  return {
    take({ email, network, device }) {
      const name = email.toLowerCase();
      const budgets =
        device === null
          ? [{ of: networks, name: network } as const, { of: people, name } as const]
          : [{ of: devices, name: device } as const];
      const taken: typeof budgets = [];
      const giveBack = () => {
        for (const budget of taken) budget.of.giveBack(budget.name);
      };
      for (const budget of budgets) {
        const seconds = budget.of.take(budget.name);
        if (seconds !== null) {
          giveBack();
          throw new ApiError("too_many_guesses", { retryAfterSeconds: seconds });
        }
        taken.push(budget);
      }
      return giveBack;
    },
    takeMail(network) {
      const seconds = mails.take(network);
      if (seconds !== null) throw new ApiError("rate_limited", { retryAfterSeconds: seconds });
    },
  };
}

export interface NetworkLimit {
  /** Counts a request of a network, or throws 429. Returns the function that takes it back: it was right. */
  take(network: string): () => void;
}

/** Creates a limit for requests that name no person: so many of a network in ten minutes, per process. */
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
