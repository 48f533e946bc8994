import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { chinaPolicy } from "../../test/harness/china-policy.ts";
import { findVendorFaults, readVendorSettings } from "../routing/read-settings.ts";
import { readConfig } from "./config.ts";

/** Reads all settings, as a process does when it starts. */
const readAll = (environment: Record<string, string | undefined>) =>
  readVendorSettings(readConfig(environment, findVendorFaults));

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

test.each([
  [{ LABEL_CERTIFICATE: "pem" }, "LABEL_CERTIFICATE: needs LABEL_KEY or LABEL_KMS_URL"],
  [{ LABEL_KEY: "pem" }, "LABEL_KEY: needs LABEL_CERTIFICATE"],
  [{ LABEL_TSA_URL: "http://tsa.example.com" }, "LABEL_TSA_URL: needs LABEL_CERTIFICATE"],
  [
    { LABEL_CERTIFICATE: "pem", LABEL_KMS_URL: "https://kms.example.com" },
    "LABEL_KMS_URL: LABEL_KMS_URL and LABEL_KMS_TOKEN go together",
  ],
  [
    {
      LABEL_CERTIFICATE: "pem",
      LABEL_KEY: "pem",
      LABEL_KMS_URL: "https://kms.example.com",
      LABEL_KMS_TOKEN: "secret",
    },
    "LABEL_KEY: set either LABEL_KEY or LABEL_KMS_URL, not both",
  ],
  [
    {
      NODE_ENV: "production",
      LABEL_CERTIFICATE: "pem",
      LABEL_KMS_URL: "http://kms.example.com",
      LABEL_KMS_TOKEN: "secret",
    },
    "LABEL_KMS_URL: must be https in production: its token is sent there",
  ],
])("settings of labels that do not go together are refused: %j", (labels, message) => {
  expect(() => readConfig({ ...good, ...labels })).toThrow(message);
});

test("a vendor makes videos larger where one is set", () => {
  expect(readAll(good).upscaler).toBeNull();
  expect(readAll({ ...good, UPSCALER: JSON.stringify(upscaler) }).upscaler).toEqual({
    ...upscaler,
    baseUrl: "https://queue.fal.run",
    endpoint: "fal-ai/bytedance-upscaler/upscale/video",
    submitMsMax: 15_000,
  });
});

test("the vendor's review is there with its library", () => {
  const settings = { ARK_ASSETS: JSON.stringify(arkAssets), REVIEW_VIDEO: "vendor" };
  expect(readConfig({ ...good, ...settings }).review.video).toEqual(["vendor"]);
  expect(readAll({ ...good, ...settings }).arkAssets).toEqual({
    ...arkAssets,
    baseUrl: "https://ark.example.com",
    projectName: "default",
  });
});

test("a good environment is read, with defaults, and addresses lose their trailing slash", () => {
  expect(readConfig(good)).toMatchObject({
    links: { publicUrl: "https://api.example.com" },
    tasks: { priceBook: "A", videoAgeMaxMs: 7_200_000 },
    fetch: { allowLoopback: false, proxyUrl: null },
    library: { storedBytesMax: 50 * 1024 ** 3 },
    storage: { kind: "disk", dir: "/var/lib/zoetrope" },
  });
});

const keyRing = `a ${randomBytes(32).toString("base64")}`;

test("production refuses to start without a key ring and says how to make one; development needs none", () => {
  const production = { ...good, NODE_ENV: "production" };
  expect(() => readConfig(production)).toThrow(
    /KEY_RING: .*openssl rand -base64 32.*KEY_RING_FILE/,
  );
  expect(readConfig({ ...production, KEY_RING: keyRing }).secrets.keyRing?.currentId).toBe("a");
  expect(readConfig(good).secrets.keyRing).toBeNull();
});

test("production labels its outputs, unless a reason is stated", () => {
  const production = { ...good, NODE_ENV: "production", KEY_RING: keyRing, LABELS: "none" };
  expect(() => readConfig(production)).toThrow("LABEL_NONE_REASON");
  const stated = { ...production, LABEL_NONE_REASON: "only internal tests of one company" };
  expect(readConfig(stated).labels.policy).toBe("none");
  expect(readConfig({ ...good, LABELS: "none" }).labels.policy).toBe("none");
  expect(() => readConfig({ ...good, LABELS: "eu" })).toThrow("LABEL_CERTIFICATE");
  expect(readConfig(good).labels).toMatchObject({ policy: "implicit", producer: "Zoetrope" });
});

test("cn asks for a visible label, and only with it can a vendor's mark be relied on", () => {
  const marks = { LABEL_VISIBLE_BY_VENDOR: "ark,dashscope" };
  const cn = { ...good, ...chinaPolicy };
  expect(readConfig({ ...cn, ...marks }).labels).toMatchObject({
    policy: "cn",
    visibleByVendor: ["ark", "dashscope"],
  });
  expect(() => readConfig({ ...good, ...marks })).toThrow(
    "LABEL_VISIBLE_BY_VENDOR: needs LABELS=cn",
  );
  expect(() => readConfig({ ...cn, LABEL_VISIBLE_BY_VENDOR: "openai" })).toThrow(
    "LABEL_VISIBLE_BY_VENDOR",
  );
  expect(() => readConfig({ ...good, LABELS: "cn" })).toThrow(
    "EVENTS_RETENTION_DAYS: LABELS=cn needs at least 180 days, and this is 30",
  );
});

test("in production a worker that others can reach needs the engine's identity key", () => {
  const production = { ...good, NODE_ENV: "production", KEY_RING: keyRing };
  for (const host of ["0.0.0.0", "::", "10.0.0.7", "127.evil.example"])
    expect(() => readConfig({ ...production, WORKER_HOST: host }), host).toThrow(
      "RESTATE_IDENTITY_KEY",
    );
  const key = { RESTATE_IDENTITY_KEY: "publickeyv1_w7YHemBctH5Ck2nQRQ47iBBqhNHy4FV7t2Usbye2A6f" };
  const withKey = readConfig({ ...production, WORKER_HOST: "0.0.0.0", ...key });
  expect(withKey.engine.identityKey).toBe(key.RESTATE_IDENTITY_KEY);
  for (const host of ["127.0.0.1", "::1", "localhost", "127.0.0.9"])
    expect(readConfig({ ...production, WORKER_HOST: host }).worker.host).toBe(host);
  expect(readConfig({ ...good, WORKER_HOST: "0.0.0.0" }).worker.host).toBe("0.0.0.0");
});

test("each node of the engine has its address, in the order given", () => {
  const nodes = "http://engine-0:8080/, http://engine-1:8080";
  expect(readConfig({ ...good, RESTATE_INGRESS_URL: nodes }).engine.ingressUrls).toEqual([
    "http://engine-0:8080",
    "http://engine-1:8080",
  ]);
  for (const wrong of ["", "http://engine-0:8080,", "engine-0"])
    expect(() => readConfig({ ...good, RESTATE_INGRESS_URL: wrong }), wrong).toThrow(
      "RESTATE_INGRESS_URL",
    );
});

test("all faults are reported at once, by the names of the settings", () => {
  const faults = { ...good, DATABASE_URL: "mysql://", API_PORT: "70000", PRICE_BOOK: "a book" };
  expect(() => readConfig(faults)).toThrow(/3 fault.*DATABASE_URL.*API_PORT.*PRICE_BOOK/s);
});

test("faults of single settings and of several together are one list", () => {
  const faults = {
    ...good,
    NODE_ENV: "production",
    VENDOR_CALLBACK_SECRET: "short",
    ALLOW_LOOPBACK: "true",
    PUBLIC_URL: "http://api.example.com",
    SMTP_URL: "smtp://mail:25",
    KEY_RING: undefined,
    STORAGE_DIR: undefined,
    DELIVERY_SPEED: "fast",
    VENDORS: "{}",
    ARK_ASSETS: "{}",
    UPSCALER: "[]",
  };
  const names = ["VENDOR_CALLBACK_SECRET", "ALLOW_LOOPBACK", "PUBLIC_URL", "MAIL_FROM", "KEY_RING"];
  const others = ["DELIVERY_SPEED", "VENDORS", "ARK_ASSETS.baseUrl", "UPSCALER"];
  for (const name of [...names, ...others, "STORAGE_DIR: is missing"])
    expect(() => readAll(faults)).toThrow(`  ${name}`);
});

test.each([
  ["VENDOR_CALLBACK_SECRET: must have at least 32 characters", { VENDOR_CALLBACK_SECRET: "short" }],
  ["DATABASE_URL: must start with postgres", { DATABASE_URL: "mysql://db" }],
  ["LOG_LEVEL: must be one of these: trace, debug, info", { LOG_LEVEL: "loud" }],
  ["NODE_ENV: must be one of these: development, test, production", { NODE_ENV: "prod" }],
  ["VENDORS.0.baseUrl: is missing", { VENDORS: '[{"name": "ark", "kind": "ark", "apiKey": "k"}]' }],
  ["VENDORS: must be of the type array", { VENDORS: "{}" }],
  ["REVIEW_IMAGE.0: must be one of these: automatic, vendor, manual", { REVIEW_IMAGE: "x" }],
])("a fault is said in words: %s", (line, change) => {
  expect(() => readAll({ ...good, ...change })).toThrow(`  ${line}`);
});

test("what is missing is said in words, with the name that was meant", () => {
  const { DATABASE_URL: url, ...others } = { ...good, API_PORT: "70000" };
  const read = () => readConfig({ ...others, DATABASE_URI: url });
  expect(read).toThrow("  DATABASE_URL: is missing: PostgreSQL, as the service's role");
  expect(read).toThrow("  DATABASE_URI: is no setting: did you mean DATABASE_URL?");
  expect(read).toThrow("  API_PORT: must be this: port, 0 to 65535");
});

test("a name that is close to a setting is a warning; others' names are not", () => {
  const others = { HOME: "/", PG_COLOR: "auto", KUBERNETES_PORT: "tcp://", NODE_OPTIONS: "" };
  const { warnings } = readConfig({ ...good, ...others, SMPT_URL: "smtp://mail" });
  expect(warnings).toEqual([
    { path: ["SMPT_URL"], message: "is no setting: did you mean SMTP_URL?" },
  ]);
  const shell = {
    PATH: "/bin",
    SHELL: "/bin/sh",
    SHLVL: "1",
    USER: "me",
    LANG: "C",
    TERM: "vt100",
  };
  expect(readConfig({ ...good, ...shell }).warnings).toEqual([]);
});

test.each([
  ["VENDOR", "VENDORS"],
  ["STORAGEDIR", "STORAGE_DIR"],
  ["PUBLICURL", "PUBLIC_URL"],
])("%s without an underscore, or a letter, is told from %s", (typed, meant) => {
  const read = () => readAll({ ...good, API_PORT: "x", [meant]: undefined, [typed]: "x" });
  expect(read).toThrow(`  ${typed}: is no setting: did you mean ${meant}?`);
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
  ["KEY_RING", { KEY_RING: "a key" }],
  ["VENDORS_FILE", { VENDORS: undefined, VENDORS_FILE: "/nowhere" }],
  ["UPSCALER", { UPSCALER: "{" }],
  ["UPSCALER.kind", { UPSCALER: JSON.stringify({ ...upscaler, kind: "ffmpeg" }) }],
  ["UPSCALER.apiKey", { UPSCALER: JSON.stringify({ ...upscaler, apiKey: "a key" }) }],
  ["UPSCALER.endpoint", { UPSCALER: JSON.stringify({ ...upscaler, endpoint: "x/../y" }) }],
  ["ARK_ASSETS", { ARK_ASSETS: "{" }],
  ["ARK_ASSETS.baseUrl", { ARK_ASSETS: "{}" }],
  ["ARK_ASSETS.groupName", { ARK_ASSETS: JSON.stringify({ ...arkAssets, groupName: "" }) }],
])("%s is refused when it does not fit: %j", (name, change) => {
  expect(() => readAll({ ...good, ...change })).toThrow(`  ${name}: `);
});

test("a fault never repeats the value: it may be a secret", () => {
  const secret = "hunter2-hunter2";
  const slips = [
    { VENDOR_CALLBACK_SECRET: secret },
    { KEY_RING: secret },
    { KEY_RING: `a ${secret}` },
    { VENDOR_CALLBACK_SECRET: undefined, VENDOR_CALLBACK_SECRET_FILE: secret },
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
    expect(() => readAll({ ...good, ...slip })).toThrow(
      expect.objectContaining({ message: expect.not.stringMatching(/hunter2/i) }),
    );
});

test.each(["upscaler", "none"])("a vendor account cannot be called %s", (name) => {
  const account = { name, kind: "ark", baseUrl: "https://ark.example.com", apiKey: "secret" };
  const read = () => readAll({ ...good, VENDORS: JSON.stringify([account]) });
  expect(read).toThrow("VENDORS.0.name: must not be upscaler or none");
});

test("storage in S3 has every part, or the start is refused", () => {
  const s3 = {
    STORAGE_DIR: undefined,
    S3_ENDPOINT: "http://s3:9000/",
    S3_BUCKET: "media",
    S3_ACCESS_KEY_ID: "AK",
    S3_SECRET_ACCESS_KEY: "hunter2",
  };
  expect(readConfig({ ...good, ...s3 }).storage).toEqual({
    kind: "s3",
    endpoint: "http://s3:9000",
    bucket: "media",
    region: "us-east-1",
    accessKeyId: "AK",
    secretAccessKey: "hunter2",
  });
});

test("all faults of settings that are JSON are reported at once", () => {
  const faults = { VENDORS: "{}", ARK_ASSETS: "{}", UPSCALER: "{}" };
  expect(() => readAll({ ...good, ...faults })).toThrow(/VENDORS: .*ARK_ASSETS.*UPSCALER/s);
});
