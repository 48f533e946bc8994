import { randomBytes, randomUUID } from "node:crypto";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { assert, describe, expect, test } from "vitest";
import type { LostJob } from "../../src/vendors/vendor.ts";
import { hostileBodies, hostileUsages, spoil } from "./hostile-answers.ts";
import { testListedJobs } from "./listed-jobs.ts";
import { expectNoSecret, expectWellFormed, kindOfFile } from "./outcomes.ts";
import {
  createBed,
  jobsOf,
  pollUntil,
  secrets,
  type VendorBed,
  type VendorSetup,
} from "./vendor-bed.ts";

/** Tests the guarantees of every vendor against the sandbox, which runs as a separate process. */
export function describeVendor(name: string, setup: VendorSetup): void {
  describe(name, () => {
    const bed = createBed(setup);
    testSubmits(bed);
    testHostileSubmits(bed);
    if (setup.answers.job !== undefined) {
      testJobs(bed);
      testLostJobs(bed);
      testListedJobs(bed);
      testHostileJobs(bed);
    }
    setup.also?.(bed);
  });
}

function testSubmits(bed: VendorBed): void {
  const { setup } = bed;

  test("what it accepts is a job or the result itself", async () => {
    const result = await bed.vendor.submit(bed.job("a fox"));
    if (result.kind === "delivered") {
      expect(kindOfFile(result.bytes)).toBe("image");
      expect(result.usage).toEqual(setup.used);
    } else expect(result).toEqual({ kind: "accepted", jobId: expect.stringMatching(/^\S+$/) });
    expect(bed.vendor.jobs === null).toBe(result.kind === "delivered");
  });

  test.each(setup.refusals)(
    "a submit that meets %s ends as %s, asked once",
    async (directive, end) => {
      const mark = randomUUID();
      const result = await bed.vendor.submit(bed.job(`[sandbox:${directive}] ${mark}`));
      const isKind = end === "throttled" || end === "unknown";
      expect(result).toMatchObject(isKind ? { kind: end } : { kind: "refused", code: end });
      expect(await bed.sandbox.creates(mark)).toHaveLength(1);
      expectWellFormed(result);
    },
  );

  test.each([
    ["throttle", "throttled"],
    ["lost", "unknown"],
    ["500", "unknown"],
    ["reset", "unknown"],
    ["timeout", "unknown"],
    ["garbage", "unknown"],
  ])(
    "a submit that meets %s ends as %s, is sent once and gives nothing away",
    async (directive, kind) => {
      const mark = randomUUID();
      const result = await bed
        .open(directive === "timeout" ? { submitMsMax: 1_000 } : {})
        .submit(bed.job(`[sandbox:${directive}] ${mark}`));
      expect(result).toMatchObject({ kind });
      expect(await bed.sandbox.creates(mark)).toHaveLength(1);
      expectWellFormed(result);
      expectNoSecret(bed, result);
    },
  );

  test("a wrong key is the operator's trouble, not the caller's", async () => {
    const result = await bed.open({ apiKey: "a-wrong-key" }).submit(bed.job("a fox"));
    expect(result).toMatchObject({ kind: "refused", code: "vendor_unavailable" });
    expectNoSecret(bed, result, "a-wrong-key");
  });

  test("nobody listening is unavailable: proven not accepted", async () => {
    const result = await bed.open({ baseUrl: "http://127.0.0.1:9" }).submit(bed.job("a fox"));
    expect(result).toMatchObject({ kind: "unavailable" });
    expectNoSecret(bed, result);
  });

  test("a refusal gives neither the key nor an input's link nor the callback away", async () => {
    const request = setup.requestWith("[sandbox:refuse=vendor_refused]", secrets.imageUrl);
    const result = await bed.vendor.submit(bed.job("", { request }));
    expect(result).toMatchObject({ kind: "refused", code: "vendor_refused" });
    expectNoSecret(bed, result);
  });
}

function testHostileSubmits(bed: VendorBed): void {
  const { answers } = bed.setup;

  test("a vendor that repeats an input's link gives its signature away to nobody", async () => {
    const words = `could not read ${secrets.imageUrl} today`;
    const refused = JSON.stringify(answers.refused);
    const body = JSON.parse(refused, (key, value) => (key === "message" ? words : value));
    const result = await bed.answering({ status: 400, body }).submit(bed.job("a fox"));
    assert(result.kind === "refused");
    expect(result.detail).toContain("today");
    expectNoSecret(bed, result);
  });

  test("only a 4xx in the vendor's own format proves that nothing was accepted", async () => {
    const kindOf = async (status: number, body: unknown) =>
      (await bed.answering({ status, body }).submit(bed.job("a fox"))).kind;
    expect(await kindOf(400, answers.refused)).toBe("refused");
    expect(await kindOf(429, answers.refused)).toMatch(/^(refused|throttled)$/);
    for (const status of [301, 408, 500, 502, 503, 504])
      expect(await kindOf(status, answers.refused), `${status}`).toBe("unknown");
    for (const [name, body] of hostileBodies)
      for (const status of [200, 201, 400, 429, 500])
        expect(await kindOf(status, body), `${status} ${name}`).toBe("unknown");
  });

  test("an answer with anything wrong in it never throws and leaves nothing that cannot be stored", async () => {
    const seen = new Set<string>();
    for (const [status, good] of [
      [200, answers.submitted],
      [400, answers.refused],
    ] as const)
      for (const body of [good, ...spoil(good)]) {
        const result = await bed.answering({ status, body }).submit(bed.job("a fox"));
        expectWellFormed(result);
        seen.add(result.kind);
      }
    expect(seen).toContain(bed.vendor.jobs === null ? "delivered" : "accepted");
    expect(seen).toContain("refused");
    expect(seen).toContain("unknown");
  });
}

function testJobs(bed: VendorBed): void {
  test("a job is waited for, and then its link gives a video", async () => {
    const jobId = await bed.submitted("a fox");
    const seen = await pollUntil(jobsOf(bed.vendor), jobId, "succeeded");
    assert(seen.kind === "succeeded");
    const response = await fetch(seen.mediaUrl);
    expect(kindOfFile(Buffer.from(await response.arrayBuffer()))).toBe("video");
    expect(seen.usage).toEqual(bed.setup.used);
  });

  test("a job gets its input image by the link that is given for it", async () => {
    await using images = await startReceiver();
    const headers = { "content-type": "image/png" };
    images.answer = () => ({ status: 200, body: bed.image, headers });
    const request = bed.setup.requestWith("a fox", secrets.imageUrl);
    const jobId = await bed.submitted("", { request, linkOf: () => `${images.url}/image.png` });
    await pollUntil(jobsOf(bed.vendor), jobId, "succeeded");
    expect(images.received.length).toBeGreaterThan(0);
  });

  test.each(bed.setup.failures ?? [])(
    "a job that meets %s is seen as failed: %s",
    async (directive, code) => {
      const jobId = await bed.submitted(`[sandbox:${directive}]`);
      const seen = await pollUntil(jobsOf(bed.vendor), jobId, "failed");
      expect(seen).toMatchObject({ code });
      expectWellFormed(seen);
      expectNoSecret(bed, seen);
    },
  );

  test("an odd report of what was used is unknown, and changes nothing else", async () => {
    const good = bed.setup.answers.job?.("job-1");
    const end = await jobsOf(bed.answering({ status: 200, body: good })).poll("job-1");
    assert(end.kind === "succeeded");
    for (const usage of hostileUsages) {
      const jobs = jobsOf(bed.answering({ status: 200, body: { ...good, usage } }));
      expect(await jobs.poll("job-1"), JSON.stringify(usage)).toEqual({ ...end, usage: null });
    }
  });

  test("many jobs are seen like each of them, and one that is not there is missing", async () => {
    const jobs = jobsOf(bed.vendor);
    const failed = await bed.submitted("[sandbox:fail]");
    const done = await bed.submitted("a fox");
    const hung = await bed.submitted("[sandbox:hang]");
    await pollUntil(jobs, failed, "failed");
    await pollUntil(jobs, done, "succeeded");
    const none = randomUUID();
    const jobIds = [hung, none, done, failed];
    const many = await jobs.pollMany(jobIds);
    assert(many !== "unavailable");
    expect([...many.values()].map(({ kind }) => kind)).toEqual([
      "waiting",
      "missing",
      "succeeded",
      "failed",
    ]);
    for (const jobId of jobIds) expect(await jobs.poll(jobId)).toEqual(many.get(jobId));
  });

  test("a queued job is cancelled; one that is not there does no harm", async () => {
    const result = await bed.queueing.submit(bed.job("a fox"));
    assert(result.kind === "accepted");
    const jobs = jobsOf(bed.queueing);
    expect(await jobs.poll(result.jobId)).toEqual({ kind: "waiting" });
    await jobs.cancel(result.jobId);
    expect(await jobs.poll(result.jobId)).toMatchObject({ kind: "failed" });
    await jobs.cancel(result.jobId);
    await jobs.cancel(randomUUID());
  });

  test("a vendor that does not listen is unavailable", async () => {
    const jobs = jobsOf(bed.open({ baseUrl: "http://127.0.0.1:9" }));
    expect(await jobs.poll("x")).toMatchObject({ kind: "unavailable" });
    expect(await jobs.pollMany(["x"])).toBe("unavailable");
    expect(
      await jobs.findLost({ ...bed.job("a fox"), submittedAt: new Date(), taken: new Set() }),
    ).toBe("unavailable");
    await jobs.cancel("x");
  });
}

function testLostJobs(bed: VendorBed): void {
  test("a job whose answer was lost is found again, and nobody else's", async () => {
    const jobs = jobsOf(bed.vendor);
    const mark = randomUUID();
    const submittedAt = new Date();
    const caller = () => ({ endUser: randomBytes(32).toString("hex") });
    const lost = bed.job(`[sandbox:500] ${mark}`, caller());
    const other = bed.job(`another ${mark}`, caller());
    expect(await bed.vendor.submit(lost)).toMatchObject({ kind: "unknown" });
    expect(await bed.vendor.submit(other)).toMatchObject({ kind: "accepted" });
    const created = await bed.sandbox.creates(`[sandbox:500] ${mark}`);
    expect(created).toHaveLength(1);
    const find = (change: Partial<LostJob>) =>
      jobs.findLost({ ...lost, submittedAt, taken: new Set(), ...change });
    let found: Awaited<ReturnType<typeof find>> = [];
    await waitUntil(
      "the job is found",
      async () => {
        found = await find({});
        return Array.isArray(found) && found.length > 0;
      },
      { timeoutMs: 300_000 },
    );
    expect(found).toEqual(created.map(({ jobId }) => jobId));
    const longAgo = new Date(submittedAt.getTime() - 3_600_000);
    expect(await find({ submittedAt: longAgo })).toEqual([]);
    const stranger = { ...caller(), request: bed.setup.request(`no one's ${mark}`) };
    expect([[], "undecided"]).toContainEqual(await find(stranger)); // jobs of other tests may be at work
  });
}

function testHostileJobs(bed: VendorBed): void {
  const { job, list } = bed.setup.answers;
  const lost = () => ({ ...bed.job("a fox"), submittedAt: new Date(), taken: new Set<string>() });

  test("an answer that makes no sense counts as unavailable", async () => {
    for (const [name, body] of hostileBodies)
      for (const status of [200, 400, 429, 500]) {
        const jobs = jobsOf(bed.answering({ status, body }));
        const which = `${status} ${name}`;
        expect(await jobs.poll("x"), which).toMatchObject({ kind: "unavailable" });
        expect(await jobs.pollMany(["x"]), which).toBe("unavailable");
        expect(await jobs.findLost(lost()), which).toBe("unavailable");
        await jobs.cancel("x");
      }
  });

  test("a job with anything wrong in it never throws, and another's job is not taken for ours", async () => {
    const good = job?.("job-1");
    const seen = new Set<string>();
    for (const body of [good, ...spoil(good)]) {
      const jobs = jobsOf(bed.answering({ status: 200, body }));
      const one = await jobs.poll("job-1");
      expectWellFormed(one);
      seen.add(one.kind);
      expect(await jobs.poll("job-2")).toMatchObject({ kind: "unavailable" });
      expect(() => jobs.readCallback(body)).not.toThrow();
    }
    expect(seen).toContain("succeeded");
    expect(seen).toContain("unavailable");
  });

  test("a list with anything wrong in it never throws", async () => {
    const good = list?.("job-1");
    for (const body of [good, ...spoil(good)]) {
      const jobs = jobsOf(bed.answering({ status: 200, body }));
      const many = await jobs.pollMany(["job-1", "job-2"]);
      if (many !== "unavailable") for (const one of many.values()) expectWellFormed(one);
      const found = await jobs.findLost(lost());
      if (Array.isArray(found)) for (const jobId of found) expect(jobId).toMatch(/^[ -~]+$/);
    }
  });

  test("asking about many jobs takes no more calls than jobs", async () => {
    const jobs = jobsOf(bed.answering({ status: 200, body: list?.("job-1") }));
    const before = bed.stub.received.length;
    await jobs.pollMany(["job-1", "job-2", "job-3"]);
    expect(bed.stub.received.length - before).toBeLessThanOrEqual(3);
  });

  test("a callback that makes no sense is none", () => {
    const jobs = jobsOf(bed.vendor);
    for (const nonsense of [null, undefined, "", 5, [], {}, { id: 5 }, { id: "\u0000" }])
      expect(jobs.readCallback(nonsense)).toBeNull();
  });
}
