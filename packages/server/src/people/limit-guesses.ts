import { ApiError } from "../errors.ts";
import { takeOldest } from "../take-oldest.ts";

const windowMs = 10 * 60_000;
const namesMax = 100_000;
const guessesMax = { network: 30, person: 10, device: 10, mails: 20 };

/** Counts failed guesses per name in windows of ten minutes, in bounded memory. */
export function createGuesses(max: number) {
  const windows = new Map<string, { count: number; endsAt: number }>();
  return {
    /** The seconds to wait if the budget is used up; otherwise null, and one is taken. */
    take(name: string): number | null {
      const now = performance.now();
      let window = windows.get(name);
      if (window === undefined || window.endsAt <= now) {
        windows.delete(name); // so that the oldest window stays the first
        window = { count: 0, endsAt: now + windowMs };
        windows.set(name, window);
        if (windows.size > namesMax) takeOldest(windows, 1);
      }
      if (window.count >= max) return Math.ceil((window.endsAt - now) / 1000);
      window.count += 1;
      return null;
    },
    giveBack(name: string): void {
      const window = windows.get(name);
      if (window !== undefined) window.count = Math.max(window.count - 1, 0);
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
 * What stops guessing: strangers have a budget per network, over all people, and one per person, over all
 * networks. A browser in which the person signed in before has its own, which strangers cannot use up.
 * Counted by the address that was typed, so that the answer is the same for an unknown person. Per process.
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
