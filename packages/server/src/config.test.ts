import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

const good = {
  DATABASE_URL: "postgres://db/zoetrope",
  PUBLIC_URL: "https://api.example.com/",
  RESTATE_INGRESS_URL: "http://engine:8080",
  STORAGE_DIR: "/var/lib/zoetrope",
  VENDORS: JSON.stringify([
    { name: "ark", kind: "ark", baseUrl: "https://ark.example.com/api/v3/", apiKey: "secret" },
  ]),
  VENDOR_CALLBACK_SECRET: "0123456789abcdef0123456789abcdef",
};

const arkAssets = {
  baseUrl: "https://ark.example.com/",
  accessKeyId: "AK",
  secretAccessKey: "hunter2",
  region: "cn-beijing",
  groupName: "zoetrope",
};

const upscaler = { kind: "fal", baseUrl: "https://queue.fal.run/", apiKey: "secret" };

test("a vendor makes videos larger where one is set", () => {
  expect(readConfig(good).UPSCALER).toBeUndefined();
  expect(readConfig({ ...good, UPSCALER: JSON.stringify(upscaler) }).UPSCALER).toEqual({
    ...upscaler,
    baseUrl: "https://queue.fal.run",
    endpoint: "fal-ai/bytedance-upscaler/upscale/video",
    submitMsMax: 15_000,
  });
});

test("the vendor's review is there with its library", () => {
  const settings = { ARK_ASSETS: JSON.stringify(arkAssets), REVIEW_VIDEO: "vendor" };
  expect(readConfig({ ...good, ...settings })).toMatchObject({
    ARK_ASSETS: { ...arkAssets, baseUrl: "https://ark.example.com", projectName: "default" },
    REVIEW_VIDEO: ["vendor"],
  });
});

test("a good environment is read, with defaults, and addresses lose their trailing slash", () => {
  expect(readConfig(good)).toMatchObject({
    PUBLIC_URL: "https://api.example.com",
    PRICE_SCHEDULE: "A",
    ALLOW_LOOPBACK: false,
    VIDEO_AGE_MAX_MS: 7_200_000,
  });
});

test("in production a worker that others can reach needs the engine's identity key", () => {
  const production = { ...good, NODE_ENV: "production" };
  for (const host of ["0.0.0.0", "::", "10.0.0.7", "127.evil.example"])
    expect(() => readConfig({ ...production, WORKER_HOST: host }), host).toThrow(
      "RESTATE_IDENTITY_KEY",
    );
  const key = { RESTATE_IDENTITY_KEY: "publickeyv1_w7YHemBctH5Ck2nQRQ47iBBqhNHy4FV7t2Usbye2A6f" };
  expect(readConfig({ ...production, WORKER_HOST: "0.0.0.0", ...key })).toMatchObject(key);
  for (const host of ["127.0.0.1", "::1", "localhost", "127.0.0.9"])
    expect(readConfig({ ...production, WORKER_HOST: host }).WORKER_HOST).toBe(host);
  expect(readConfig({ ...good, WORKER_HOST: "0.0.0.0" }).WORKER_HOST).toBe("0.0.0.0");
});

test("all faults are told at once, by the names of the settings", () => {
  const faults = { ...good, DATABASE_URL: "mysql://", API_PORT: "70000", PRICE_SCHEDULE: "C" };
  expect(() => readConfig(faults)).toThrow(/3 fault.*DATABASE_URL.*API_PORT.*PRICE_SCHEDULE/s);
});

test.each([
  ["ALLOW_LOOPBACK", { NODE_ENV: "production", ALLOW_LOOPBACK: "true" }],
  ["PUBLIC_URL", { NODE_ENV: "production", PUBLIC_URL: "http://api.example.com" }],
  ["STORAGE_DIR", { S3_BUCKET: "media" }],
  ["STORAGE_DIR", { STORAGE_DIR: undefined }],
  ["S3_BUCKET", { STORAGE_DIR: undefined, S3_BUCKET: "media" }],
  ["WORKER_URL", { RESTATE_ADMIN_URL: "http://engine:9070" }],
  ["VENDOR_CALLBACK_SECRET", { VENDOR_CALLBACK_SECRET: "short" }],
  ["REVIEW_IMAGE", { REVIEW_IMAGE: "vendor,manual" }],
  ["REVIEW_AUDIO", { REVIEW_AUDIO: "vendor" }],
  ["UPSCALER", { UPSCALER: "{" }],
  ["UPSCALER.kind", { UPSCALER: JSON.stringify({ ...upscaler, kind: "ffmpeg" }) }],
  ["UPSCALER.apiKey", { UPSCALER: JSON.stringify({ ...upscaler, apiKey: "a key" }) }],
  ["UPSCALER.endpoint", { UPSCALER: JSON.stringify({ ...upscaler, endpoint: "x/../y" }) }],
  ["ARK_ASSETS", { ARK_ASSETS: "{" }],
  ["ARK_ASSETS.baseUrl", { ARK_ASSETS: "{}" }],
  ["ARK_ASSETS.groupName", { ARK_ASSETS: JSON.stringify({ ...arkAssets, groupName: "" }) }],
])("%s is refused when it does not fit: %j", (name, change) => {
  expect(() => readConfig({ ...good, ...change })).toThrow(`  ${name}: `);
});

test("a fault never repeats the value: it may be a secret", () => {
  const secret = "hunter2-hunter2";
  const slips = [
    { VENDOR_CALLBACK_SECRET: secret },
    { ARK_ASSETS: secret },
    { UPSCALER: secret },
    { UPSCALER: JSON.stringify({ ...upscaler, apiKey: `${secret}\n`, endpoint: secret }) },
    {
      ARK_ASSETS: JSON.stringify({
        ...arkAssets,
        secretAccessKey: [secret],
        region: secret.toUpperCase(),
      }),
    },
  ];
  for (const slip of slips)
    expect(() => readConfig({ ...good, ...slip })).toThrow(
      expect.objectContaining({ message: expect.not.stringMatching(/hunter2/i) }),
    );
});

test.each(["upscaler", "none"])("a vendor account cannot be called %s", (name) => {
  const account = { name, kind: "ark", baseUrl: "https://ark.example.com", apiKey: "secret" };
  const read = () => readConfig({ ...good, VENDORS: JSON.stringify([account]) });
  expect(read).toThrow("VENDORS.0.name: must not be upscaler or none");
});
