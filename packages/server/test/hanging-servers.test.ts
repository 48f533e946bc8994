import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWaker } from "../src/engine/waker.ts";
import { newId } from "../src/ids.ts";
import { createLog } from "../src/log.ts";
import { createSafeFetch, readAtMost } from "../src/media/fetch/safe-fetch.ts";
import { happyhorse } from "../src/models/happyhorse.ts";
import { imagePlus2 } from "../src/models/image-plus-2.ts";
import { imagePro2 } from "../src/models/image-pro-2.ts";
import { planRequest } from "../src/models/plan-request.ts";
import type { ModelRequest } from "../src/models/request.ts";
import { sd2 } from "../src/models/sd2.ts";
import { createArk } from "../src/vendors/ark/ark.ts";
import { createArkAssets } from "../src/vendors/ark-assets/ark-assets.ts";
import { createDashScope } from "../src/vendors/dashscope/dashscope.ts";
import { createFal, falSchema } from "../src/vendors/fal/fal.ts";
import { createGemini } from "../src/vendors/gemini/gemini.ts";
import { createOpenAi } from "../src/vendors/openai/openai.ts";
import type { Vendor } from "../src/vendors/vendor.ts";
import { createEngineAdmin } from "../src/worker/engine-admin.ts";

/** The last bytes that a hanging server sends; nothing comes after them. */
const hangs: [string, string][] = [
  ["accepts a connection and never answers", ""],
  [
    "sends headers and never ends the body",
    "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\ncontent-type: application/json\r\n\r\n{",
  ],
];

/** Twice what the longest of these calls may take, and no more than machines under load need. */
const callMsMax = 60_000;
const usual = { apiKey: "key", submitMsMax: 1_000, pollsPerSecond: 10, lostMsMax: 60_000 };

type Calls = Record<string, () => Promise<unknown>>;

/** Every call of every client that speaks to somebody else. */
const clients: Record<string, (url: string) => Calls> = {
  Ark: (baseUrl) =>
    callsOf(
      createArk({ ...usual, baseUrl, models: { sd2: "m" } }),
      planRequest(sd2, { prompt: "a fox" }),
    ),
  DashScope: (baseUrl) =>
    callsOf(
      createDashScope({ ...usual, baseUrl, models: { happyhorse: "m" }, namesImages: true }),
      planRequest(happyhorse, { prompt: "a fox" }),
    ),
  OpenAI: (baseUrl) =>
    callsOf(
      createOpenAi({ ...usual, baseUrl, models: { "image-pro-2": "m" } }),
      planRequest(imagePro2, { prompt: "a fox" }),
    ),
  Gemini: (baseUrl) =>
    callsOf(
      createGemini({ ...usual, baseUrl, models: { "image-plus-2": "m" } }),
      planRequest(imagePlus2, { prompt: "a fox" }),
    ),
  fal: (baseUrl) => {
    const fal = createFal({
      ...falSchema.parse({ kind: "fal", baseUrl, apiKey: "key" }),
      submitMsMax: 1_000,
    });
    const upscaleRequest = {
      sourceUrl: `${baseUrl}/a.mp4`,
      target: "1080p",
      framesPerSecond: 24,
    } as const;
    return {
      submit: () => fal.submit(upscaleRequest),
      poll: () => fal.poll("r-1"),
      cancel: () => fal.cancel("r-1"),
    };
  },
  "Ark's asset library": (baseUrl) => {
    const library = createArkAssets({
      baseUrl,
      accessKeyId: "AK",
      secretAccessKey: "SK",
      region: "cn-beijing",
      projectName: "default",
      groupName: "g",
    });
    const asset = { groupId: "g-1", name: "n", url: `${baseUrl}/a.png`, type: "Image" } as const;
    return {
      ensureGroup: () => library.ensureGroup(),
      createAsset: () => library.createAsset(asset),
      getAsset: () => library.getAsset("a-1"),
      findByName: () => library.findByName("n"),
    };
  },
  "the engine's ingress": (url) => ({
    wake: () => {
      const waker = createWaker([url], createLog("silent", "test"));
      waker.wake("generation", "poll", newId(0));
      return waker.close();
    },
  }),
  "the engine's admin API": (url) => {
    const admin = createEngineAdmin([url]);
    return {
      read: () => admin.read(),
      register: () => admin.register("http://127.0.0.1:9"),
      isServed: () => admin.isServed("http://127.0.0.1:9"),
    };
  },
  "a user's URL": (url) => ({
    fetch: async () => {
      const safeFetch = createSafeFetch({ allowLoopback: true });
      const options = { method: "GET", protocols: ["http:"], totalMsMax: 1_000 } as const;
      try {
        await readAtMost((await safeFetch(url, options)).body, 1_000);
      } finally {
        await safeFetch.close();
      }
    },
  }),
};

function callsOf(vendor: Vendor, request: ModelRequest): Calls {
  const { jobs } = vendor;
  const endUser = "a".repeat(64);
  const lost = { request, endUser, submittedAt: new Date(), taken: new Set<string>() };
  return {
    submit: () =>
      vendor.submit({
        request,
        callbackUrl: "http://127.0.0.1:9/callback",
        isMarked: false,
        secondsMax: 7_200,
        endUser,
        linkOf: () => "https://example.com/a.png",
        imageOf: async () => ({ kind: "fault", fault: "none" }),
      }),
    ...(jobs === null
      ? {}
      : {
          poll: () => jobs.poll("job-1"),
          pollMany: () => jobs.pollMany(["job-1"]),
          findLost: () => jobs.findLost(lost),
          cancel: () => jobs.cancel("job-1"),
        }),
  };
}

describe.concurrent.each(hangs)("a server that %s", (_how, answer) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => socket.write(answer));
  });
  let url: string;
  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  test.concurrent.each(Object.entries(clients))(
    "does not hold up a call to %s",
    async (_name, open) => {
      const ends = await Promise.all(
        Object.entries(open(url)).map(async ([name, call]) => {
          const late = new Promise((resolve) => setTimeout(resolve, callMsMax, "waits").unref());
          const end = call().then(
            () => "ended",
            () => "ended",
          );
          return [name, await Promise.race([end, late])];
        }),
      );
      expect(ends.filter(([, end]) => end !== "ended")).toEqual([]);
    },
    2 * callMsMax,
  );
});
