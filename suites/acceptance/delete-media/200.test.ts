import { expect, test } from "vitest";
import { main } from "../src/client.ts";
import { anyVideo } from "../src/examples.ts";

test("a video's link works, says until when, and is dead once its owner deletes it", async () => {
  const taskId = await main.create(anyVideo.model, anyVideo.inputs);
  const { end } = await main.follow(taskId);
  const [video] = end.output ?? [];
  expect(video?.expiresAt).toBeGreaterThan(Date.now());
  const before = await fetch(video?.url ?? "");
  expect(before.status).toBe(200);
  await before.body?.cancel();
  const answer = await main.deleteMedia(taskId);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toEqual({ deleted: 1 });
  expect((await fetch(video?.url ?? "")).status).toBe(404);
  expect(await main.task(taskId)).toMatchObject({
    status: "COMPLETED",
    creditsUsed: end.creditsUsed,
  });
});
