import { isAccountMoved } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { LivesElsewhere } from "./lives-elsewhere.ts";

/**
 * The error of a request whose account has just moved to another shard: nothing was written, and the same
 * request succeeds there. The cached facts about its caller are out of date.
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
