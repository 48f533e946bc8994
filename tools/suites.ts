/** A suite that `.ci/run` does not run, or not at its full size. */
interface Suite {
  /** The part of the command after `npm run -s`. */
  readonly run: string;
  /** Measured alone on two cores. */
  readonly minutes: number;
}

const suite = (run: string, minutes: number): Suite => ({ run, minutes });

/** The most that a part takes. */
export const partMinutesMax = 80;

/** The suites that `npm run -s nightly` runs, part by part. */
export const parts: readonly (readonly Suite[])[] = [
  // the contract, clients and pages
  [
    suite("acceptance", 5),
    suite("chaos -- fast", 3),
    suite("chaos -- media", 4),
    suite("chaos -- ssrf", 6),
    suite("chaos -- guards", 8),
    suite("clients", 12),
    suite("console-test", 20),
    suite("long", 15),
    suite("plan", 1),
  ],
  // tasks and callbacks under faults
  [
    suite("chaos -- upscale", 3),
    suite("chaos -- accounts", 3),
    suite("chaos -- vendors", 6),
    suite("chaos -- polling", 5),
    suite("chaos -- waiting", 6),
    suite("chaos -- streaming", 4),
    suite("chaos -- shards", 5),
    suite("chaos -- restore", 4),
    suite("chaos -- callbacks", 11),
    suite("chaos -- callbacks kills", 2),
    suite("chaos -- callbacks noisy", 6),
    suite("chaos -- tenants", 10),
    suite("chaos -- overload", 13),
  ],
  // parts that are away, exchanged and upgraded
  [
    suite("chaos -- outages", 17),
    suite("chaos -- upgrade", 13),
    suite("chaos -- failover", 7),
    suite("chaos -- nodes", 13),
    suite("chaos -- spread", 6),
    suite("chaos -- tenth", 14),
    suite("image", 10),
  ],
  // alerts and costs
  [
    suite("ops", 42),
    suite("bench -- upscale", 30),
    suite("bench -- upscale-quality", 3),
    suite("bench -- verify", 3),
  ],
  [
    suite("mutation", 20),
    suite("bench -- rules", 1),
    suite("bench -- create", 14),
    suite("bench -- latency", 4),
    suite("bench -- lists 100000", 4),
    suite("bench -- pooler", 10),
    suite("bench -- poisoned", 6),
    suite("bench -- video", 8),
    suite("bench -- waiters", 8),
    suite("figures", 4),
  ],
  // marks of outputs; extrapolated from a tenth of the files
  [suite("labels", 25), suite("bench -- labels", 15)], // the first installs the signer
];

/** Suites of the table that are run below their usual size, and why: whether they work, not their figures. */
export const reduced: Readonly<Record<string, string>> = {
  "bench -- lists 100000": "ten million tasks take hours to insert and 20 GB",
};

/** Suites that neither `.ci/run` nor the table has, and why. */
export const leftOut: Readonly<Record<string, string>> = {
  compose: "needs Podman with containers in it, and images of PostgreSQL and Restate",
};

/** Scripts that check nothing: they start, write or build something. */
export const tools: readonly string[] = [
  "postinstall",
  "dev",
  "operator",
  "fix",
  "lock",
  "pack",
  "generate",
  "chaos",
  "bench",
  "console-screenshots",
  "nightly",
  "drill", // chaos restore
  "check", // its steps are steps of .ci/run
];
