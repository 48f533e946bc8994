import { isTimeout } from "../../src/db/database.ts";
import { ApiError } from "../../src/errors.ts";

/**
 * Repeats what gave up waiting for a lock, as the engine and clients do: on a slow machine a test holds
 * a lock for longer than the service waits for it.
 */
export async function outwait<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof ApiError && error.code === "account_busy";
      if (!isBusy && !isTimeout(error)) throw error;
    }
  }
}
