import { expect, test } from "vitest";
import { createLog } from "../log.ts";
import { createCancels } from "./cancels.ts";

const log = createLog("silent", "test");

test("a vendor that hangs has a bounded number of cancels under way, and others are not held up", async () => {
  const cancels = createCancels(log, { permitsPerOwnerMax: 2, waitingPerOwnerMax: 3 });
  const begun: string[] = [];
  const hang = (jobId: string) =>
    cancels.send("hangs", jobId, () => {
      begun.push(jobId);
      return new Promise(() => {});
    });
  for (let n = 0; n < 20; n++) hang(`job ${n}`);
  const { promise, resolve } = Promise.withResolvers<void>();
  cancels.send("answers", "its job", async () => resolve());
  await promise;
  expect(begun).toEqual(["job 0", "job 1"]);
});

test("a cancel that fails does not keep the next ones from being sent", async () => {
  const cancels = createCancels(log, { permitsPerOwnerMax: 1, waitingPerOwnerMax: 10 });
  const { promise, resolve } = Promise.withResolvers<void>();
  cancels.send("ark", "1", () => {
    throw new Error("thrown at once");
  });
  cancels.send("ark", "2", () => Promise.reject(new Error("refused")));
  cancels.send("ark", "3", async () => resolve());
  await promise;
});
