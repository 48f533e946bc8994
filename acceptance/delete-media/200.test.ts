import { expect, test } from "vitest";
import { main } from "../src/client.ts";
import { anyFilm } from "../src/examples.ts";

test("a film's link works, says until when, and is dead once its owner deletes it", async () => {
  const taskId = await main.create(anyFilm.model, anyFilm.inputs);
  const { end } = await main.follow(taskId);
  const [film] = end.output ?? [];
  expect(film?.expiresAt).toBeGreaterThan(Date.now());
  const before = await fetch(film?.url ?? "");
  expect(before.status).toBe(200);
  await before.body?.cancel();
  const answer = await main.deleteMedia(taskId);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toEqual({ deleted: 1 });
  expect((await fetch(film?.url ?? "")).status).toBe(404);
  expect(await main.task(taskId)).toMatchObject({
    status: "COMPLETED",
    creditsUsed: end.creditsUsed,
  });
});
