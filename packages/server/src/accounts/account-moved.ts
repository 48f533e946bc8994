import { isAccountMoved } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { LivesElsewhere } from "./lives-elsewhere.ts";

/**
 * The account lives in another shard since a moment ago: nothing was written, and the same request
 * succeeds there. What is remembered of its caller is out of date.
 */
export class AccountMoved extends ApiError {
  constructor() {
    super("account_busy", { retryAfterSeconds: 1 });
  }
}

/** However it was found out. */
export function isMoved(error: unknown): boolean {
  return error instanceof AccountMoved || error instanceof LivesElsewhere || isAccountMoved(error);
}
