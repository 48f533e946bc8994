import type { FailureCode } from "../errors.ts";
import type { Image, ImageFault } from "../media/image/fit-image.ts";
import type { MediaRef, ModelRequest } from "../models/request.ts";
import type { Usage } from "./read-usage.ts";

/**
 * A vendor. An adapter knows its wire protocol and nothing of tasks.
 * No call retries by itself and none throws for what a vendor or a network can do.
 */
export interface Vendor {
  /** Whether input files are sent along: then `VendorJob.imageOf` has them. Otherwise it gets links. */
  readonly takesFiles: boolean;
  /** Images that the model takes and these rules refuse are converted or scaled. Null: none are. */
  imageRulesOf(request: ModelRequest): VendorImageRules | null;
  /** A submit is given up after this long. */
  readonly submitMsMax: number;
  /**
   * Returns the approximate maximum memory of a submit with input files of these sizes, including its
   * response.
   */
  memoryBytesOf(request: ModelRequest, fileBytes: readonly number[]): number;
  /** Returns the vendor's own name of the model that a request is for, by which it is charged. */
  modelOf(request: ModelRequest): string;
  /** Asks for work. The one call that costs money: made once per decision to submit. */
  submit(job: VendorJob): Promise<SubmitResult>;
  /** The jobs; null where the response to a submit is the result: there is no job to poll or to find again. */
  readonly jobs: VendorJobs | null;
}

/** An account with a vendor, as routing and submitting see it. */
export interface VendorAccount {
  name: string;
  /** Its vendor, as the setting VENDORS names it. */
  kind: string;
  /** Serves the tasks of test-mode keys, and only those. */
  isTest: boolean;
  serves(model: string): boolean;
  /** Has the library in which a vendor's review registers assets. */
  knowsAssets: boolean;
  vendor: Vendor;
  /** A call that costs nothing and needs the credentials. */
  freeCall(): FreeCall;
  /** No submits to one that is paused or removed; its open jobs are polled and collected. */
  state: "open" | "paused" | "removed";
  /**
   * The weight of the account among first choices. Null: an account of the setting VENDORS is tried after
   * the others, in the order of the setting.
   */
  weight: number | null;
  /** Over all processes; null: no limit. */
  openJobsMax: number | null;
  creditsPerDayMax: number | null;
}

export interface FreeCall {
  url: string;
  headers: Record<string, string>;
}

/** The limits of a vendor on the images that its models take. */
export interface VendorImageRules {
  formats: readonly string[];
  shortSidePixelsMin: number;
  sizeBytesMax: number;
}

/** The calls about jobs that a vendor has accepted and works on by itself. */
export interface VendorJobs {
  /** The maximum number of jobs that the poller polls per second, in one call or in several. */
  readonly pollsPerSecond: number;
  /** Reads one job. */
  poll(jobId: string): Promise<PollResult>;
  /** Reads up to `pollsPerSecond` jobs, in one call where the vendor can; one it does not know is `missing`. */
  pollMany(jobIds: string[]): Promise<Map<string, PollResult> | "unavailable">;
  /** The property by which `findLost` matches a job to its task: the end user or the prompt. */
  readonly matchLostBy: "end user" | "prompt";
  /** The time after which a submit whose response was lost is given up, unless it is undecided. */
  readonly lostMsMax: number;
  /**
   * Returns the jobs that can be the one whose response was lost, and none that is known to be another.
   * `undecided`: none is found, and one that is still running may be it.
   */
  findLost(lost: LostJob): Promise<string[] | "undecided" | "unavailable">;
  /**
   * Returns every job of this account from a moment on that is not among the `taken`, including jobs of
   * other submitters: after a restore of the database, jobs may be running that no row knows.
   */
  listSince(since: Date, taken: ReadonlySet<string>): Promise<SeenJob[] | "unavailable">;
  /** Cancels a job that is no longer needed. Best effort. */
  cancel(jobId: string): Promise<void>;
  /** Reads a callback's body; null when it makes no sense. A hint, never proof. */
  readCallback(body: unknown): CallbackHint | null;
}

export interface VendorJob {
  request: ModelRequest;
  callbackUrl: string;
  /** The vendor gives up by then. */
  secondsMax: number;
  /** Names the caller to the vendor without saying who it is: 64 hexadecimal characters. */
  endUser: string;
  /** Whether the vendor draws its own mark, which says that a model made the video. */
  isMarked: boolean;
  /** Returns the link from which the vendor can fetch an input file. */
  linkOf(ref: MediaRef): string;
  /**
   * Returns an input image of at most so many bytes, for vendors that take files. A fault is for operators.
   * Rejects on an internal failure.
   */
  imageOf(ref: MediaRef, sizeBytesMax: number): Promise<Image | ImageFault>;
}

export interface LostJob {
  request: ModelRequest;
  endUser: string;
  submittedAt: Date;
  /** Jobs from around that moment that are known to be other tasks'. */
  taken: ReadonlySet<string>;
}

/** A job as a list shows it, with what says whose it is. Null: the vendor does not say. */
export interface SeenJob {
  jobId: string;
  createdAt: Date;
  isOver: boolean;
  /** The end user, as in `VendorJob`. */
  endUser: string | null;
  /** The time until which the vendor was asked to work on it. */
  expiresAt: Date | null;
  /** Whether it is a job for this request. `unknown`: it can be, and does not show more. */
  isFor(request: ModelRequest): boolean | "unknown";
}

export type SubmitResult = SubmitOutcome & {
  /** The number of requests that the vendor still allows at the moment, if it reports it. */
  requestsLeft?: number;
};

/**
 * `detail` is the vendor's own text: for operators, never for callers. `usage` is what the vendor says it has used;
 * null: it says nothing that makes sense.
 */
type SubmitOutcome =
  | { kind: "accepted"; jobId: string }
  | { kind: "delivered"; bytes: Buffer; usage: Usage | null } // the result itself
  // Pointless to repeat. Proven not accepted or, with a `usage`, done without a result.
  | { kind: "refused"; code: FailureCode; detail: string; usage?: Usage | null }
  | { kind: "throttled"; retryAfterMs: number | null; detail: string } // proven not accepted, later perhaps
  // Proven not accepted: nothing was sent. `isOurs`: through no fault of the vendor.
  | { kind: "unavailable"; detail: string; isOurs?: true }
  | { kind: "unknown"; detail: string }; // may have been accepted: reconcile, never repeat

export type PollResult =
  | { kind: "waiting" }
  | { kind: "succeeded"; mediaUrl: string; usage: Usage | null }
  | { kind: "failed"; code: FailureCode; detail: string; usage: Usage | null }
  | { kind: "missing" }
  | { kind: "unavailable"; detail: string };

interface CallbackHint {
  jobId: string;
  isOver: boolean;
}
