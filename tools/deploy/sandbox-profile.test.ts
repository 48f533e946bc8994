import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { freePorts } from "../../packages/dev/src/services/ports.ts";
import { printsLine, startProcess } from "../../packages/dev/src/services/process.ts";
import { waitUntil } from "../../packages/dev/src/services/wait-until.ts";
import { makeScratch } from "../../packages/testkit/src/services/scratch.ts";
import { startReceiver } from "../../packages/testkit/src/start-receiver.ts";
import { readComposeFiles } from "./compose-file.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const patience = { timeoutMs: 120_000 };

/** The settings that the image has by itself. */
async function imageSettings(): Promise<Record<string, string>> {
  const text = (await readFile(`${root}Containerfile`, "utf8")).replaceAll("\\\n", " ");
  const lines = text.split("\n").filter((line) => line.startsWith("ENV "));
  return Object.fromEntries(
    lines.flatMap((line) =>
      [...line.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    ),
  );
}

/**
 * Starts what `docker compose --profile sandbox up` starts as `sandbox`, with the settings of the
 * image and of compose.yaml and the secrets that the first start makes, but on free ports of
 * loopback. With `bucket`, the five settings of deploy/compose.s3.yaml, the files are in a bucket.
 */
async function startProfile(publicUrl: string, bucket: Readonly<Record<string, string>> = {}) {
  const scratch = await makeScratch("sandbox-profile");
  onTestFinished(() => scratch.remove());
  const secrets = join(scratch.path, "secrets");
  const mint = [
    `${root}deploy/mint-secrets.ts`,
    "--dir",
    secrets,
    "--sandbox-url",
    "http://sandbox:8000",
  ];
  await run(process.execPath, mint);
  const files = ["compose.yaml", ...("S3_BUCKET" in bucket ? ["deploy/compose.s3.yaml"] : [])];
  const { services } = await readComposeFiles(files, { PUBLIC_URL: publicUrl, ...bucket });
  const { environment = {}, ports = [] } = services["sandbox"] ?? {};
  const settings: Record<string, string> = {};
  const portOf = new Map<string, string>();
  for (const [name, value] of Object.entries({ ...(await imageSettings()), ...environment })) {
    if (!name.startsWith("SANDBOX_") || value === null) continue;
    if (name.endsWith("_FILE"))
      settings[name.slice(0, -5)] = await readFile(
        join(secrets, "sandbox", basename(value)),
        "utf8",
      );
    else if (name.endsWith("_PORT")) {
      const [free = 0] = await freePorts(1);
      portOf.set(value, String(free));
      settings[name] = String(free);
    } else settings[name] = name.endsWith("_HOST") ? "127.0.0.1" : value;
  }
  const quick = {
    SANDBOX_QUEUED_MS: "20",
    SANDBOX_RUNNING_MS: "20",
    SANDBOX_CALLBACK_RETRY_MS: "20",
  };
  const journal = join(scratch.path, "sandbox.jsonl");
  const started = await startProcess({
    name: "sandbox",
    command: process.execPath,
    args: [`${root}packages/sandbox/src/main.ts`],
    env: { ...settings, ...quick, SANDBOX_DIR: scratch.path, SANDBOX_LOG: journal },
    logFile: join(scratch.path, "sandbox.log"),
    isReady: printsLine(/sandbox\.listening/),
  });
  onTestFinished(() => started.stop());
  const vendors = JSON.parse(await readFile(join(secrets, "service", "VENDORS"), "utf8")) as {
    kind: string;
    baseUrl: string;
    apiKey: string;
  }[];
  const ark = vendors.find(({ kind }) => kind === "ark");
  const { port, pathname } = new URL(ark?.baseUrl ?? "");
  const published = ports.map((one) => portOf.get(one.split(":").at(-1) ?? "") ?? "none");
  return {
    publicUrls: published.map((each) => `http://127.0.0.1:${each}`),
    arkUrl: `http://127.0.0.1:${portOf.get(port)}${pathname}`,
    arkKey: ark?.apiKey ?? "",
    readJournal: () => readFile(journal, "utf8"),
  };
}

async function createJob(url: string, key: string, prompt: string, more: object, image?: string) {
  const inputs = image
    ? [{ type: "image_url", image_url: { url: image }, role: "first_frame" }]
    : [];
  const response = await fetch(`${url}/contents/generations/tasks`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model: "doubao-seedance-2-0-260128",
      content: [{ type: "text", text: prompt }, ...inputs],
      ...more,
    }),
  });
  const text = await response.text();
  const { id = "" } = response.ok ? (JSON.parse(text) as { id: string }) : {};
  return { status: response.status, id };
}

test("the port that the profile publishes serves signed links and nothing else", async () => {
  const { publicUrls, arkUrl, arkKey } = await startProfile("https://media.example.com");
  expect(publicUrls).toHaveLength(1);
  const paths = [
    "/_sandbox/stats",
    "/_sandbox/jobs",
    "/_sandbox/faults",
    "/api/v3/contents/generations/tasks",
    "/dashscope/api/v1/tasks",
    "/openai/v1/models",
    "/gemini/v1beta/models",
    "/fal/fal-ai/bytedance-upscaler/requests/a/status",
  ];
  const headers = { authorization: `Bearer ${arkKey}` };
  for (const url of publicUrls)
    for (const path of paths)
      expect([path, (await fetch(url + path, { headers })).status]).toEqual([path, 404]);
  for (const url of publicUrls) {
    const put = { method: "PUT", body: JSON.stringify({ keys: ["mine"] }), headers };
    expect((await fetch(`${url}/_sandbox/ark-keys`, put)).status).toBe(404);
    expect((await createJob(`${url}/api/v3`, arkKey, "a fox", {})).status).toBe(404);
    expect((await fetch(`${url}/ark-assets/`, { method: "POST", body: "{}" })).status).toBe(404);
    expect((await fetch(`${url}/videos/a.mp4?token=1.a`)).status).toBe(403);
  }
  const inside = new URL(arkUrl).origin;
  expect((await createJob(arkUrl, "mine", "a fox", {})).status).toBe(401);
  expect((await createJob(arkUrl, arkKey, "a fox [sandbox:fail]", {})).status).toBe(200);
  expect((await fetch(`${inside}/_sandbox/stats`, { headers })).status).toBe(404);
});

test("the profile fetches inputs from the service and calls it back, and asks no other address", async () => {
  await using service = await startReceiver(() => ({
    status: 302,
    headers: { location: `${inside.url}/redirected` },
  }));
  await using inside = await startReceiver(() => 418);
  const { arkUrl, arkKey, readJournal } = await startProfile(service.url);
  const create = (more: object, image?: string) =>
    createJob(arkUrl, arkKey, "a fox [sandbox:badvideo]", more, image);
  const attempts = [
    create({ callback_url: `${inside.url}/admin/delete-everything` }),
    create({}, `${inside.url}/latest/meta-data`),
    create({}, `${service.url}/media/redirects`),
    create({ callback_url: `${service.url}/callbacks/ark` }),
  ];
  const jobs = await Promise.all(attempts);
  expect(jobs.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await waitUntil(
    "every job is over and every callback tried",
    async () => {
      const lines = (await readJournal()).split("\n").filter((line) => line !== "");
      const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      const isOver = (id: string) =>
        entries.some(
          ({ event, jobId, to }) =>
            event === "status" && jobId === id && /ed$/.test(String(to)) && to !== "queued",
        );
      const triesOf = (id: string) =>
        entries.filter(
          ({ event, jobId, attempt }) => event === "callback" && jobId === id && attempt === 4,
        );
      return (
        jobs.every(({ id }) => isOver(id)) &&
        [jobs[0], jobs[3]].every((job) => triesOf(job?.id ?? "").length > 0)
      );
    },
    patience,
  );
  expect(inside.received.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  const asked = new Set(service.received.map(({ path }) => path));
  expect([...asked].sort()).toEqual(["/callbacks/ark", "/media/redirects"]);
});

test("with a bucket, an input's link leads the profile to the bucket", async () => {
  await using storage = await startReceiver(() => 404);
  await using service = await startReceiver(() => ({
    status: 302,
    headers: { location: `${storage.url}/media/a.png?signature=1` },
  }));
  const { arkUrl, arkKey } = await startProfile(service.url, {
    S3_ENDPOINT: storage.url,
    S3_BUCKET: "media",
    S3_REGION: "us-east-1",
    S3_ACCESS_KEY_ID: "id",
    S3_SECRET_ACCESS_KEY: "secret",
  });
  await createJob(arkUrl, arkKey, "a fox", {}, `${service.url}/media/a.png`);
  const [asked] = await storage.arrived(1);
  expect(asked?.path).toBe("/media/a.png?signature=1");
});
