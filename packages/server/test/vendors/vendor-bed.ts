import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { type Receiver, type Reply, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { quickJobs, type Sandbox, startSandbox } from "@zoetrope/testkit/start-sandbox.ts";
import sharp from "sharp";
import { afterAll, assert, beforeAll } from "vitest";
import type { FailureCode } from "../../src/errors.ts";
import { fitImage } from "../../src/media/image/fit-image.ts";
import { textOf } from "../../src/models/inputs-of.ts";
import type { ModelRequest } from "../../src/models/request.ts";
import type { PollResult, Vendor, VendorJob, VendorJobs } from "../../src/vendors/vendor.ts";

/** The facts about a vendor that the suite needs. */
export interface VendorSetup {
  /** The path at which the sandbox plays this vendor, such as `/api/v3`. */
  path: string;
  /** The key that the sandbox takes. */
  apiKey: string;
  open(settings: VendorSettings): Vendor;
  /** A small request with this prompt and without input files. */
  request(prompt: string): ModelRequest;
  /** Returns a request with one input image at `url`. */
  requestWith(prompt: string, url: string): ModelRequest;
  /** Every row of the vendor's error table that a submit can meet: the sandbox's directive, and the end. */
  refusals: readonly (readonly [directive: string, end: FailureCode | "throttled" | "unknown"])[];
  /** Every row that a job can end with; only for vendors with jobs. */
  failures?: readonly (readonly [directive: string, code: FailureCode])[];
  /** Good responses of the vendor: the suite spoils them value by value. */
  answers: {
    submitted: object; // 200
    refused: object; // 400
    job?: (jobId: string) => object; // 200, succeeded
    list?: (jobId: string) => object; // 200
  };
  /** What the sandbox reports as used for a small request without input files. */
  used: object;
  /** Tests of this vendor alone. */
  also?(bed: VendorBed): void;
}

interface VendorSettings {
  baseUrl: string;
  apiKey: string;
  submitMsMax: number;
}

/** The tools of the tests; its values are set once they run. */
export interface VendorBed {
  readonly setup: VendorSetup;
  /** Against a sandbox whose jobs are over soon. */
  readonly vendor: Vendor;
  readonly sandbox: Sandbox;
  readonly baseUrl: string;
  /** Against a sandbox whose jobs stay queued. */
  readonly queueing: Vendor;
  /** A server of ours that says whatever a test wants; behind it, `open({ baseUrl: stub.url })`. */
  readonly stub: Receiver;
  /** The input file of vendors that take files: a PNG. */
  readonly image: Buffer;
  open(change: Partial<VendorSettings>): Vendor;
  /** A new vendor whose every call gets this response. */
  answering(answer: Reply): Vendor;
  job(prompt: string, change?: Partial<VendorJob>): VendorJob;
  /** Submits what must be accepted. */
  submitted(prompt: string, change?: Partial<VendorJob>): Promise<string>;
}

/** The secrets of ours that a vendor gets, beside its key. */
export const secrets = {
  endUser: "a".repeat(64),
  callbackUrl: "http://127.0.0.1:9/callback-token-0123456789",
  imageUrl: "https://example.com/private/image.png?signature=0123456789",
};

export function createBed(setup: VendorSetup): VendorBed {
  const cleanUp = new AsyncDisposableStack();
  let quick: Sandbox;
  let slow: Sandbox;
  let stub: Receiver;
  let vendor: Vendor;
  let queueing: Vendor;
  let image: Buffer;
  beforeAll(async () => {
    const grey = { width: 400, height: 400, channels: 3, background: "grey" } as const;
    image = await sharp({ create: grey }).png().toBuffer();
    quick = cleanUp.use(await startSandbox(quickJobs));
    slow = cleanUp.use(await startSandbox({ ...quickJobs, SANDBOX_QUEUED_MS: "3600000" }));
    stub = cleanUp.use(await startReceiver());
    vendor = bed.open({});
    queueing = bed.open({ baseUrl: slow.url + setup.path });
  });
  afterAll(() => cleanUp.disposeAsync());
  const bed: VendorBed = {
    setup,
    get vendor() {
      return vendor;
    },
    get queueing() {
      return queueing;
    },
    get sandbox() {
      return quick;
    },
    get baseUrl() {
      return quick.url + setup.path;
    },
    get stub() {
      return stub;
    },
    open: (change) =>
      setup.open({ baseUrl: bed.baseUrl, apiKey: setup.apiKey, submitMsMax: 120_000, ...change }),
    answering(answer) {
      stub.answer = () => answer;
      return bed.open({ baseUrl: stub.url });
    },
    get image() {
      return image;
    },
    job: (prompt, change) => ({
      request: change?.request ?? setup.request(prompt),
      callbackUrl: secrets.callbackUrl,
      isMarked: false,
      secondsMax: 7_200,
      endUser: secrets.endUser,
      linkOf: textOf,
      imageOf: (_ref, sizeBytesMax) => fitImage(image, sizeBytesMax),
      ...change,
    }),
    async submitted(prompt, change) {
      const result = await vendor.submit(bed.job(prompt, change));
      assert(result.kind === "accepted", `not accepted: ${JSON.stringify(result)}`);
      return result.jobId;
    },
  };
  return bed;
}

export function jobsOf(vendor: Vendor): VendorJobs {
  assert(vendor.jobs !== null);
  return vendor.jobs;
}

/** Polls until the job has this status. */
export async function pollUntil(
  jobs: Pick<VendorJobs, "poll">,
  jobId: string,
  kind: PollResult["kind"],
): Promise<PollResult> {
  let seen: PollResult = { kind: "missing" };
  await waitUntil(
    `job is ${kind}`,
    async () => {
      seen = await jobs.poll(jobId);
      return seen.kind === kind;
    },
    { timeoutMs: 300_000, intervalMs: 100 },
  );
  return seen;
}
