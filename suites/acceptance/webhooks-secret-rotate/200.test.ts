import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { describe, expect, test } from "vitest";
import { main, settings } from "../src/client.ts";
import { okay, readSecret, sendTest, untilOutcome, verify } from "../src/webhooks.ts";

interface Secret {
  secret: string;
  previousUntil: number | null;
}

const hourMs = 3_600_000;
const rotate = async (body: object) => okay<Secret>(await main.rotateWebhookSecret(body));

async function nextEvent() {
  await using receiver = await startReceiver();
  await untilOutcome(main, await sendTest(main, receiver.hookUrl), "delivered");
  const [event] = receiver.received;
  if (event === undefined) throw new Error("nothing arrived");
  return event;
}

test("the overlap is a day unless another one is asked for", async () => {
  const first = await rotate({});
  expect(Math.abs((first.previousUntil ?? 0) - Date.now() - 24 * hourMs)).toBeLessThan(60_000);
  const second = await rotate({ overlapHours: 168 });
  expect(Math.abs((second.previousUntil ?? 0) - Date.now() - 168 * hourMs)).toBeLessThan(60_000);
  expect(await readSecret(main)).toEqual(second);
});

describe.runIf(settings.callsLoopback)("what is sent after a rotation", () => {
  test("during the overlap both secrets verify a callback", async () => {
    const before = await readSecret(main);
    const now = await rotate({ overlapHours: 1 });
    expect(now.secret).not.toBe(before.secret);
    const event = await nextEvent();
    expect(verify(before.secret, event)).toMatchObject({ test: true });
    expect(verify(now.secret, event)).toMatchObject({ test: true });
  });

  test("without an overlap the secret before verifies nothing more", async () => {
    const before = await readSecret(main);
    const now = await rotate({ overlapHours: 0 });
    expect(now.previousUntil).toBeNull();
    const event = await nextEvent();
    expect(verify(now.secret, event)).toMatchObject({ test: true });
    expect(() => verify(before.secret, event)).toThrow();
  });
});
