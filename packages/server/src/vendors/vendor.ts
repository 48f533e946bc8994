import type { FailureCode } from "../errors.ts";
import type { ModelRequest } from "../models/request.ts";

/**
 * A vendor, seen as four calls. An adapter knows its wire protocol and nothing of tasks.
 * No call retries by itself and none throws for what a vendor or a network can do.
 */
export interface Vendor {
  /** Asks for work. The one call that costs money: made once per decision to submit. */
  submit(job: VendorJob): Promise<SubmitResult>;
  /** Reads one job. */
  look(jobId: string): Promise<Sighting>;
  /** Reads many jobs in one call; a job that the answer leaves out is `missing`. */
  lookAtMany(jobIds: string[]): Promise<Map<string, Sighting> | "unavailable">;
  /** The jobs that can be the one whose answer was lost. */
  findLost(lost: LostJob): Promise<string[] | "unavailable">;
  /** Reads a callback's body; null when it makes no sense. A hint, never proof. */
  readCallback(body: unknown): CallbackHint | null;
}

export interface VendorJob {
  request: ModelRequest;
  callbackUrl: string;
  /** The vendor gives up by then. */
  secondsMax: number;
  /** Names the caller to the vendor without saying who it is. */
  endUser: string;
}

export interface LostJob {
  request: ModelRequest;
  endUser: string;
  submittedAt: Date;
}

/** `detail` is in the vendor's own words: for operators, never for callers. */
export type SubmitResult =
  | { kind: "accepted"; jobId: string }
  | { kind: "refused"; code: FailureCode; detail: string } // proven not accepted, and pointless to repeat
  | { kind: "throttled"; retryAfterMs: number | null; detail: string } // proven not accepted, later perhaps
  | { kind: "unavailable"; detail: string } // proven not accepted: nothing was sent
  | { kind: "unknown"; detail: string }; // may have been accepted: reconcile, never repeat

export type Sighting =
  | { kind: "waiting" }
  | { kind: "succeeded"; mediaUrl: string }
  | { kind: "failed"; code: FailureCode; detail: string }
  | { kind: "missing" }
  | { kind: "unavailable"; detail: string };

export interface CallbackHint {
  jobId: string;
  isOver: boolean;
}
