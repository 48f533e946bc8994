import { expect, test } from "vitest";
import { main, other } from "../src/client.ts";
import { anyVideo } from "../src/examples.ts";

const unknown = "00000000-0000-7000-8000-000000000000";

test("many tasks are answered at once; those of others are not found, like those of nobody", async () => {
  const taskId = await main.create(anyVideo.model, anyVideo.inputs);
  const foreign = await other.create(anyVideo.model, anyVideo.inputs);
  const taskIds = [unknown, taskId, foreign, "none", taskId];
  const answer = await main.post("/api/v1/jobs/query", { taskIds });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toMatchObject({
    tasks: [{ taskId, kind: "generation" }],
    notFound: [unknown, foreign, "none"],
  });
  await other.follow(foreign);
});
