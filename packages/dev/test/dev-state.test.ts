import { once } from "node:events";
import { createServer } from "node:net";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, onTestFinished, test } from "vitest";
import { openDevState } from "../src/dev-state.ts";
import { freePort } from "../src/services/ports.ts";

test("the first start takes the usual port if it is free, otherwise another; later starts keep it", async () => {
  const [usual, other] = [await makeScratch("usual"), await makeScratch("other")];
  onTestFinished(async () => {
    await Promise.all([usual.remove(), other.remove()]);
  });
  const port = await freePort();
  expect((await openDevState(usual.path, undefined, port)).ports.api).toBe(port);
  const taken = createServer().listen(port, "127.0.0.1");
  await once(taken, "listening");
  const { ports } = await openDevState(other.path, undefined, port);
  expect(ports.api).not.toBe(port);
  taken.close();
  await once(taken, "close");
  expect((await openDevState(other.path, undefined, port)).ports.api).toBe(ports.api);
  expect((await openDevState(usual.path, undefined, 1)).ports.api).toBe(port);
});
