import { exitCodes } from "./exit-codes.ts";

interface Details {
  exitCode: number;
  code: string;
  /** The next step to suggest. */
  next?: string | undefined;
  requestId?: string | null | undefined;
}

/** An error that is shown as one sentence with what to do next. */
export class CliError extends Error {
  override name = "CliError";
  readonly details: Details;

  constructor(message: string, details: Details) {
    super(message);
    this.details = details;
  }
}

export function usageError(message: string, next?: string): CliError {
  return new CliError(message, { exitCode: exitCodes.usage, code: "usage", next });
}
