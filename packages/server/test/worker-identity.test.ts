import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect, constants } from "node:http2";
import { join } from "node:path";
import { startRestate } from "@zoetrope/dev/services/restate.ts";
import { startStack } from "@zoetrope/dev/stack.ts";
import { createClient } from "@zoetrope/testkit/api-client.ts";
import { registerWorker } from "@zoetrope/testkit/services/restate-admin.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, test } from "vitest";

const digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** An engine's key pair: the private half for the engine, the public half as workers read it. */
function makeIdentity(): { pem: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ type: "spki", format: "der" }).subarray(-32);
  let number = BigInt(`0x${raw.toString("hex")}`);
  let text = "";
  for (; number > 0n; number /= 58n) text = `${digits[Number(number % 58n)]}${text}`;
  const zeros = raw.findIndex((byte) => byte !== 0);
  return {
    pem: String(privateKey.export({ type: "pkcs8", format: "pem" })),
    publicKey: `publickeyv1_${"1".repeat(zeros)}${text}`,
  };
}

async function statusOf(url: string, path: string, method: "GET" | "POST"): Promise<number> {
  const session = connect(url);
  try {
    const request = session.request({
      [constants.HTTP2_HEADER_METHOD]: method,
      [constants.HTTP2_HEADER_PATH]: path,
      accept: "application/vnd.restate.endpointmanifest.v4+json",
      "content-type": "application/vnd.restate.invocation.v5",
    });
    request.end();
    const [headers] = (await once(request, "response")) as [Record<string, unknown>];
    request.resume();
    return Number(headers[constants.HTTP2_HEADER_STATUS]);
  } finally {
    session.destroy();
  }
}

test("with an identity key a worker serves its own engine and refuses everybody else", async () => {
  await using scratch = await makeScratch("identity");
  const { pem, publicKey } = makeIdentity();
  const pemFile = join(scratch.path, "identity.pem");
  await writeFile(pemFile, pem);
  await using stack = await startStack({
    dir: scratch.path,
    restateEnv: { RESTATE_REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE: pemFile },
    serverEnv: { RESTATE_IDENTITY_KEY: publicKey, POLL_FIRST_MS: "500" },
    sandboxEnv: { SANDBOX_QUEUED_MS: "100", SANDBOX_RUNNING_MS: "200" },
  });
  const workerUrl = String(stack.serverEnv["WORKER_URL"]);
  const { key } = await stack.openAccount({ name: "a", credits: 1_000 });
  const client = createClient(stack.apiUrl, key);
  const task = await client.finished(
    await client.create("sd2", { prompt: "a heron lands" }),
    90_000,
  );
  expect(task.status).toBe("COMPLETED");

  expect(await statusOf(workerUrl, "/discover", "GET")).toBe(401);
  expect(await statusOf(workerUrl, "/invoke/generation/poll", "POST")).toBe(401);
  await using stranger = await startRestate({ dir: join(scratch.path, "stranger"), partitions: 1 });
  await expect(registerWorker(stranger.adminUrl, workerUrl, { timeoutMs: 8_000 })).rejects.toThrow(
    "401",
  );
});
