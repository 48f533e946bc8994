import { randomUUID } from "node:crypto";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { assert, expect, test } from "vitest";
import { hostileBodies, spoil } from "./hostile-answers.ts";
import { jobsOf, type VendorBed } from "./vendor-bed.ts";

/** Tests the list of a vendor's jobs after a restore of the database. */
export function testListedJobs(bed: VendorBed): void {
  test("every job since a moment is listed with what says whose it is, but for those that are taken", async () => {
    const jobs = jobsOf(bed.vendor);
    const since = new Date(Date.now() - 5_000);
    const mark = randomUUID();
    const [one, other] = [bed.job(`one ${mark}`), bed.job(`other ${mark}`)];
    const [mine, taken] = [
      await bed.submitted(one.request.prompt ?? ""),
      await bed.submitted(other.request.prompt ?? ""),
    ];
    await waitUntil(
      "both are over",
      async () => {
        const seen = await jobs.pollMany([mine, taken]);
        return (
          seen !== "unavailable" && [...seen.values()].every(({ kind }) => kind === "succeeded")
        );
      },
      { timeoutMs: 60_000 },
    );
    const listed = await jobs.listSince(since, new Set([taken]));
    assert(listed !== "unavailable");
    const seen = listed.find(({ jobId }) => jobId === mine);
    expect(seen).toMatchObject({ isOver: true });
    expect(seen?.isFor(one.request)).not.toBe(false);
    expect([null, one.endUser]).toContain(seen?.endUser);
    expect(seen?.isFor(other.request) === true).toBe(false);
    expect(listed.some(({ jobId }) => jobId === taken)).toBe(false);
    const later = await jobs.listSince(new Date(Date.now() + 60_000), new Set());
    expect(later).toEqual([]);
  });

  test("a list since a moment is whole or unavailable, whatever the vendor answers, and never throws", async () => {
    const none = new Set<string>();
    const away = jobsOf(bed.open({ baseUrl: "http://127.0.0.1:9" }));
    expect(await away.listSince(new Date(), none)).toBe("unavailable");
    for (const [name, body] of hostileBodies) {
      const jobs = jobsOf(bed.answering({ status: 200, body }));
      expect(await jobs.listSince(new Date(), none), name).toBe("unavailable");
    }
    const good = bed.setup.answers.list?.("job-1");
    for (const body of [good, ...spoil(good)]) {
      const jobs = jobsOf(bed.answering({ status: 200, body }));
      const listed = await jobs.listSince(new Date(Date.now() - 60_000), none);
      if (listed === "unavailable") continue;
      for (const { createdAt, expiresAt } of listed)
        expect(() => [createdAt.toISOString(), expiresAt?.toISOString()]).not.toThrow();
    }
  });
}
