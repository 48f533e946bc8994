import { makeNoise } from "@zoetrope/testkit/make-media.ts";
import { serve } from "@zoetrope/testkit/serve.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf, settings, waitFor } from "../src/client.ts";
import { expectRefusal } from "../src/expect-refusal.ts";
import { storedAsset } from "../src/library.ts";

const { smallLibraryKey: key } = settings;

describe.runIf(key !== null && settings.callsLoopback)("an account with a small library", () => {
  const client = clientOf(key ?? "");
  let silence: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    silence = await serve(() => {});
  });
  afterAll(() => silence[Symbol.asyncDispose]());

  async function empty() {
    const { items } = (await client.listAssets("?limit=50")).body as {
      items: { assetId: number }[];
    };
    for (const { assetId } of items) await client.deleteAsset(assetId);
  }

  test("no more assets are open than it may have, however many are asked for at once", async () => {
    const body = { url: silence.url, type: "IMAGE" };
    const answers = await Promise.all(Array.from({ length: 6 }, () => client.uploadAsset(body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectRefusal(answer, { status: 429, code: "open_assets_limit" });
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    await empty();
    expect((await client.uploadAsset(body)).status).toBe(200); // deleting one makes room
    await empty();
  });

  test("what is stored has a limit, and deleting makes room", async () => {
    const bytes = makeNoise(500); // three quarters of a megabyte
    const first = await storedAsset(client, "IMAGE", bytes);
    expect(first["status"]).not.toBe("FAILED");
    const second = await storedAsset(client, "IMAGE", bytes);
    expect(second).toMatchObject({ status: "FAILED", failReason: expect.stringMatching(/full/) });
    const upload = await client.createUpload({ type: "IMAGE", size: bytes.length });
    expectRefusal(upload, { status: 403, code: "storage_limit" });
    expect(upload.headers.get("retry-after")).toBeNull(); // waiting does not lift it
    await empty();
    await waitFor("there is room again", async () => {
      const third = await storedAsset(client, "IMAGE", bytes);
      return third["status"] !== "FAILED";
    });
    await empty();
  });

  test("no more direct uploads are open than it may have", async () => {
    const body = { type: "IMAGE", size: 1_000 };
    const answers = await Promise.all(Array.from({ length: 5 }, () => client.createUpload(body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expectRefusal(answer, { status: 429, code: "open_uploads_limit" });
  });
});
