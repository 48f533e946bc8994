/**
 * The lines of JSON between the program and the process that starts it. The first line on stdin is a
 * request; each question on stdout is answered by one line on stdin; the last line is an outcome.
 */
export type Request = SignRequest | ReadRequest;

export interface File {
  path: string;
  contentType: string;
}

/**
 * The action that made the file. `edited` was done by a generative model; `resized` was not, and says nothing
 * about where the source comes from. A `created` file has a parent if its vendor had signed it.
 */
export type Origin =
  | { action: "created"; parent: File | null }
  | { action: "edited" | "resized"; parent: File };

export interface SignRequest {
  operation: "sign";
  input: File;
  outputPath: string;
  /** The name of the file in its manifest. */
  title: string;
  origin: Origin;
  /** Skips the parent's bytes: an earlier process did not survive them. */
  ignoresParent: boolean;
  /** The version of the service. */
  version: string;
  algorithm: "es256" | "es384";
  /** The certificates in PEM, from the leaf to the one below the root. */
  chain: string;
  isTimeStamped: boolean;
}

export interface ReadRequest {
  operation: "read";
  input: File;
  /** Certificates in PEM. A manifest signed below one of them is trusted. */
  trustAnchors: string;
}

/** `signature`: in the form r|s over these bytes; `timeStamp`: the response to this RFC 3161 request. */
export interface Question {
  ask: "signature" | "timeStamp";
  /** base64 */
  bytes: string;
}

export interface Answer {
  /** base64 */
  bytes: string;
}

export type Outcome = { signed: Signed } | { read: Manifest | null } | { fault: string };

export interface Signed {
  /** The id of the manifest. */
  manifest: string;
  /** `unreadable`: named as the parent without its manifest or hash. */
  parent: "none" | "read" | "unreadable";
}

/** The part of a manifest store that matters to somebody who asks where a file comes from. */
export interface Manifest {
  /** `invalid`: the file or its manifest was changed; `trusted`: signed below a trust anchor. */
  state: "invalid" | "valid" | "trusted";
  /** The codes of the C2PA specification for what is wrong with it. */
  failures: string[];
  id: string;
  title: string | null;
  /** The program that made the claim. */
  generator: string | null;
  /** The organisation in the certificate. */
  signer: string | null;
  /** ISO 8601, from a time-stamp authority. */
  signedAt: string | null;
  actions: { action: string; sourceType: string | null }[];
  ingredients: {
    title: string | null;
    relationship: string | null;
    /** The id of its manifest. */
    manifest: string | null;
    failures: string[];
  }[];
  /** The source types of all actions of all manifests: `trainedAlgorithmicMedia` says that a model made it. */
  sourceTypes: string[];
}
