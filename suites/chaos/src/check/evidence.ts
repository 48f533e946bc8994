import type { ClientLine } from "../kit/client-log.ts";
import type { ReceivedRequest } from "../kit/receiver/received-request.ts";
import type { Rows } from "./rows.ts";

/** Everything the invariants are judged by. None of it comes from the service's own code. */
export interface Evidence {
  rows: Rows;
  /** The vendor's own journal. */
  vendor: VendorLine[];
  /** The requests that reached the callback URLs. */
  received: ReceivedRequest[];
  /** The requests that the clients sent and the responses that they saw. */
  clients: ClientLine[];
  /** Invocations that the engine has not completed. */
  invocations: Invocation[];
  /** The stored objects by object key. */
  objects: ReadonlyMap<string, StoredObject>;
  leaks: Leak[];
  /** Processes that ended without having been killed. */
  crashes: string[];
}

export type VendorLine =
  | { event: "create"; jobId: string | null; accepted: boolean; callbackUrl: string | null }
  | { event: "status"; jobId: string; to: string }
  | { event: "erase" | "callback"; jobId: string };

export interface Invocation {
  id: string;
  service: string;
  taskId: string;
  handler: string;
  status: string;
}

export interface StoredObject {
  sizeBytes: number;
  sha256: string;
  /** The checksum of an MP4 from its frames to its end, which its label leaves alone; null for other files. */
  dataSha256: string | null;
}

/** A secret in a place where it must not be. The secret itself is not repeated. */
export interface Leak {
  secret: string;
  file: string;
}

export interface Violation {
  what: string;
  /** The offending rows, for a person to start from. */
  rows: unknown[];
}

export type Check = (evidence: Evidence) => Violation[];
