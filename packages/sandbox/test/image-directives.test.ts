import { describe, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../src/config.ts";
import { formatOf } from "../src/kit/image-format.ts";
import { startSandbox } from "../src/server.ts";
import {
  geminiImage,
  type HttpAnswer,
  imagesClient,
  imagesForTest,
  openaiImages,
} from "./image-support.ts";

type Client = ReturnType<typeof imagesClient>;

const vendors = [
  {
    vendor: "openai",
    request: (client: Client, prompt: string) => client.generate(prompt),
    image: (answer: HttpAnswer) => openaiImages(answer)[0] ?? Buffer.alloc(0),
  },
  {
    vendor: "gemini",
    request: (client: Client, prompt: string) => client.draw(prompt),
    image: geminiImage,
  },
] as const;

const cheap = "[sandbox:badvideo]";

describe.each(vendors)("$vendor", ({ vendor, request, image }) => {
  test("a misspelt directive is refused, so that no script passes for a normal run", async () => {
    const sandbox = await imagesForTest();
    for (const directive of ["hnag", "slow=x", "refuse", "fail=a b", ""]) {
      expect((await request(sandbox, `a fox [sandbox:${directive}]`)).status, directive).toBe(400);
    }
    expect((await sandbox.stats())["images"]).toMatchObject({ accepted: 0 });
  });

  test("[sandbox:throttle=2]: the first two requests of a prompt answer 429, the third is accepted", async () => {
    const sandbox = await imagesForTest();
    const statuses: number[] = [];
    for (const name of ["a", "a", "b", "a", "b", "b"]) {
      statuses.push((await request(sandbox, `${name} [sandbox:throttle=2] ${cheap}`)).status);
    }
    expect(statuses).toEqual([429, 429, 429, 200, 429, 200]);
    expect((await request(sandbox, "[sandbox:throttle]")).status).toBe(429);
  });

  test("[sandbox:lost] answers 500 and nothing is made, [sandbox:500] although it is made", async () => {
    const sandbox = await imagesForTest();
    expect((await request(sandbox, "[sandbox:lost]")).status).toBe(500);
    expect((await request(sandbox, "[sandbox:500]")).status).toBe(500);
    expect(sandbox.creates()).toMatchObject([
      { vendor, accepted: false, answer: 500, prompt: "[sandbox:lost]" },
      { vendor, accepted: true, answer: 500, prompt: "[sandbox:500]" },
    ]);
  });

  test("[sandbox:slow=1]: the answer comes after that many seconds", async () => {
    const sandbox = await imagesForTest();
    const started = performance.now();
    expect((await request(sandbox, `[sandbox:slow=1] ${cheap}`)).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(990);
  });

  test("an answer takes as long as the setting says", async () => {
    const sandbox = await imagesForTest({ imageMs: 700 });
    const started = performance.now();
    await request(sandbox, cheap);
    expect(performance.now() - started).toBeGreaterThan(690);
  });

  test("[sandbox:badvideo]: 200 with bytes that are no image", async () => {
    const sandbox = await imagesForTest();
    const bytes = image(await request(sandbox, cheap));
    expect(bytes.length).toBeGreaterThan(1_000);
    expect(formatOf(bytes)).toBeUndefined();
  });

  test.each(["expire", "duplicate", "late", "silent", "deadlink", "brokenlink", "wrong-length"])(
    "[sandbox:%s] has no effect",
    async (directive) => {
      const sandbox = await imagesForTest();
      expect((await request(sandbox, `[sandbox:${directive}] ${cheap}`)).status).toBe(200);
    },
  );

  test("a fault queued for the vendor applies to its next requests, whatever their prompt", async () => {
    const sandbox = await imagesForTest();
    const fault = { fault: "refuse=vendor_refused", times: 1, vendor };
    await sandbox.control("POST", "/faults", fault);
    const invalid = await request(sandbox, "[sandbox:hnag]");
    expect(invalid.status).toBe(400);
    expect((await request(sandbox, cheap)).status).toBe(400);
    expect((await request(sandbox, cheap)).status).toBe(200);
  });

  test("the sixty-first request within a minute answers 429 and is taken a minute after the first", async () => {
    let now = 0;
    const config = { ...readConfig({}), imageMs: 0, rateLimits: true };
    const sandbox = await startSandbox(config, () => now);
    onTestFinished(() => sandbox.stop());
    const client = imagesClient(sandbox.url);
    for (let count = 0; count < 60; count++) {
      expect((await request(client, cheap)).status).toBe(200);
    }
    now = 59_000;
    const answer = await request(client, cheap);
    expect(answer.status).toBe(429);
    if (vendor === "openai") expect(answer.headers.get("retry-after-ms")).toBe("1000");
    now = 60_000;
    expect((await request(client, cheap)).status).toBe(200);
  });
});
