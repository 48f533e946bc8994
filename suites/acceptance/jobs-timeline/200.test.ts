import { succeeded } from "@zoetrope/testkit/api-client.ts";
import { expect, test } from "vitest";
import { main } from "../src/client.ts";
import { anyVideo } from "../src/examples.ts";

interface Timeline {
  entries: { event: string; state: string; from: number; to: number | null }[];
}

test("the timeline of a video goes from its acceptance to its end without a gap", async () => {
  const taskId = await main.create(anyVideo.model, anyVideo.inputs);
  await main.follow(taskId);
  const path = `/api/v1/jobs/timeline?taskId=${taskId}`;
  const { entries } = succeeded<Timeline>(await main.get(path));
  const events = entries.filter(({ state }) => state === "working").map(({ event }) => event);
  expect(events[0]).toBe("accepted");
  expect(events).toEqual(
    expect.arrayContaining(["submit", "vendorAccepted", "vendorFinished", "stored"]),
  );
  expect(events.at(-1)).toBe("finished");
  for (const [index, { from }] of entries.slice(1).entries()) expect(from).toBe(entries[index]?.to);
  expect(JSON.stringify(entries)).not.toMatch(/vendorAccount|vendorJobId/);
});
