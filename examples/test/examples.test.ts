import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { Zoetrope } from "@zoetrope/sdk";
import { lavfi, renderFile } from "@zoetrope/testkit/make-media.ts";
import { probeVideo } from "@zoetrope/testkit/probe-video.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { POST } from "../webhooks/next/app/api/zoetrope/route.ts";
import { checkReceiver, sendTo } from "./check-receiver.ts";
import { readBlock } from "./read-blocks.ts";
import { runExample, runProgram, type Settings, startReceiverProgram } from "./run-example.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** The number of prompts tried, of the 50 in the file: each costs 0.3 s of processor time. */
const promptsTried = 12;

let scratch: Scratch;
let stack: Stack;
beforeAll(async () => {
  scratch = await makeScratch("examples");
  stack = await startStack({
    dir: scratch.path,
    serverEnv: { POLL_FIRST_MS: "500", REVIEW_IMAGE: "vendor" },
    sandboxEnv: { SANDBOX_DRAFT: "true", SANDBOX_QUEUED_MS: "0", SANDBOX_RUNNING_MS: "0" },
  });
});
afterAll(async () => {
  await stack.stop();
  await scratch.remove();
});

interface Reader {
  cwd: string;
  env: Settings;
  client: Zoetrope;
}

/** Somebody with an account of his own who runs examples in a folder of his own. */
async function becomeReader(name: string): Promise<Reader> {
  const { key } = await stack.openAccount({ name, credits: 10_000, openTasksMax: 3 });
  const env = { ZOETROPE_BASE_URL: stack.apiUrl, ZOETROPE_API_KEY: key };
  const cwd = await mkdtemp(join(scratch.path, `${name}-`));
  return { cwd, env, client: new Zoetrope({ baseUrl: stack.apiUrl, apiKey: key }) };
}

const testImage = (cwd: string) =>
  renderFile(join(cwd, "source.png"), [...lavfi("testsrc2=s=640x640:d=1"), "-frames:v", "1"]);

test("first-video.ts saves a video that plays", async () => {
  const reader = await becomeReader("video");
  const printed = await runExample("first-video.ts", ["A heron", "heron.mp4"], reader);
  expect(printed).toContain("heron.mp4: 24 credits");
  expect((await probeVideo(join(reader.cwd, "heron.mp4"))).seconds).toBeCloseTo(4, 0);
});

test("image-edit.ts uploads an image and saves the edited one", async () => {
  const reader = await becomeReader("edit");
  await testImage(reader.cwd);
  await runExample("image-edit.ts", ["source.png", "at night", "night.png"], reader);
  expect((await probeVideo(join(reader.cwd, "night.png"))).width).toBeGreaterThan(256);
});

test("reference-video.ts makes a video with an asset that stays in the library", async () => {
  const reader = await becomeReader("reference");
  await testImage(reader.cwd);
  await runExample("reference-video.ts", ["source.png", "It waves", "robot.mp4"], reader);
  expect((await probeVideo(join(reader.cwd, "robot.mp4"))).seconds).toBeCloseTo(4, 0);
  const { items } = await reader.client.assets.list();
  expect(items.map(({ name, status }) => [name, status])).toEqual([["source.png", "ACTIVE"]]);
});

test("upscale-file.ts upscales a file of this machine", async () => {
  const reader = await becomeReader("upscale");
  await renderFile(join(reader.cwd, "small.mp4"), lavfi("testsrc2=s=320x180:r=24:d=0.5"));
  await runExample("upscale-file.ts", ["small.mp4", "1080p", "large.mp4"], reader);
  expect((await probeVideo(join(reader.cwd, "large.mp4"))).height).toBe(1080);
});

test("batch.ts makes an image of every prompt, on an account with three tasks at once", async () => {
  const reader = await becomeReader("batch");
  const prompts = (await readFile(new URL("../prompts.txt", import.meta.url), "utf8")).split("\n");
  await writeFile(join(reader.cwd, "prompts.txt"), prompts.slice(0, promptsTried).join("\n"));
  const printed = await runExample("batch.ts", ["prompts.txt", "images"], reader);
  expect(printed).toContain(`${promptsTried} of ${promptsTried} images`);
  expect(await readdir(join(reader.cwd, "images"))).toHaveLength(promptsTried);
});

test.each(["node-receiver.ts", "fastify-receiver.ts"])(
  "%s takes the service's callback once, and refuses forged and old ones",
  async (program) => {
    const { client, cwd, env } = await becomeReader("receiver");
    const answer = await fetch(`${stack.apiUrl}/api/v1/webhooks/secret`, {
      headers: { authorization: `Bearer ${env["ZOETROPE_API_KEY"]}` },
    });
    const { secret } = (await answer.json()) as { secret: string };
    await using receiver = await startReceiverProgram({
      command: process.execPath,
      args: [program],
      dir: cwd,
      env: { ZOETROPE_WEBHOOK_SECRET: secret, PORT: "0" },
    });
    const { taskId } = await client.tasks.create({
      model: "image-plus-2",
      inputs: { prompt: "a fox", resolution: "1k" },
      callBackUrl: receiver.url,
    });
    await receiver.printed(`${taskId} COMPLETED`);
    await checkReceiver(sendTo(receiver.url), secret);
    const handled = (await receiver.lines()).filter((line) => line.endsWith("COMPLETED"));
    expect(handled).toEqual([`${taskId} COMPLETED`, "01998b6e COMPLETED"]);
  },
);

test("the route handler of Next takes a callback once, and refuses forged and old ones", async () => {
  const secret = `whsec_${btoa("a secret of this test")}`;
  vi.stubEnv("ZOETROPE_WEBHOOK_SECRET", secret);
  const printed = vi.spyOn(console, "log").mockReturnValue();
  const url = "http://127.0.0.1/api/zoetrope";
  const send = async (body: string, headers: Record<string, string>) =>
    (await POST(new Request(url, { method: "POST", body, headers }))).status;
  await checkReceiver(send, secret);
  expect(printed.mock.calls).toEqual([["01998b6e COMPLETED"]]);
  vi.unstubAllEnvs();
  printed.mockRestore();
});

const quickstart = "docs/quickstart.md";

test("the TypeScript of the quickstart saves a video that plays", async () => {
  const reader = await becomeReader("quickstart-ts");
  await writeFile(join(reader.cwd, "boat.ts"), await readBlock(quickstart, "TypeScript", "ts"));
  await symlink(join(root, "node_modules"), join(reader.cwd, "node_modules"));
  await runProgram(process.execPath, ["boat.ts"], reader);
  expect((await probeVideo(join(reader.cwd, "boat.mp4"))).seconds).toBeCloseTo(4, 0);
});

test("the curl lines of the quickstart save a video that plays, and make one task when they run twice", async () => {
  const reader = await becomeReader("quickstart-curl");
  const lines = `set -euo pipefail\n${await readBlock(quickstart, "curl", "sh")}`;
  for (let times = 0; times < 2; times++) await runProgram("bash", ["-c", lines], reader);
  expect((await probeVideo(join(reader.cwd, "boat.mp4"))).seconds).toBeCloseTo(4, 0);
  expect((await reader.client.tasks.list()).items).toHaveLength(1);
});

test("an invitation is accepted with the line that docs/people.md has, once", async () => {
  const { serverEnv } = stack;
  const { PUBLIC_URL = "", DATABASE_URL = "" } = serverEnv;
  const place = { cwd: scratch.path, env: { PUBLIC_URL, DATABASE_URL } };
  const operator = join(root, "packages/server/src/operator/main.ts");
  const command = [operator, "person", "create-operator", "--email", "ada@example.com", "--json"];
  const { link } = JSON.parse(await runProgram(process.execPath, command, place));
  const token = new URL(link).hash.replace("#token=", "");
  const line = await readBlock("docs/people.md", "Accepting an invitation", "sh");
  const paste = () => runProgram("bash", ["-c", line.replace("TOKEN", token)], place);
  expect(JSON.parse(await paste())).toEqual({ status: "signed_in" });
  expect(JSON.parse(await paste())).toMatchObject({ code: "link_invalid" });
});

test("the command of the quickstart saves a video that plays", async () => {
  const reader = await becomeReader("quickstart-cli");
  const main = join(root, "packages/cli/src/main.ts");
  const command = `zoetrope() { "${process.execPath}" "${main}" "$@"; }\n`;
  const lines = command + (await readBlock(quickstart, "Command line", "sh"));
  const env = { ...reader.env, HOME: reader.cwd };
  await runProgram("bash", ["-c", lines], { ...reader, env });
  expect((await probeVideo(join(reader.cwd, "boat.mp4"))).seconds).toBeCloseTo(4, 0);
});

const hasHttpx = existsSync("/usr/lib/python3/dist-packages/httpx"); // Debian's python3-httpx

test.runIf(hasHttpx)("the Python of the quickstart saves a video that plays", async () => {
  const reader = await becomeReader("quickstart-python");
  const program = await readBlock(quickstart, "Python", "python");
  const env = { ...reader.env, PYTHONPATH: join(root, "packages/python/src") };
  await runProgram("/usr/bin/python3", ["-B", "-c", program], { ...reader, env });
  expect((await probeVideo(join(reader.cwd, "boat.mp4"))).seconds).toBeCloseTo(4, 0);
});

test("the configuration of the quickstart connects an agent to tools that make a video", async () => {
  const { env } = await becomeReader("quickstart-mcp");
  const { mcpServers } = JSON.parse(await readBlock(quickstart, "Agents \\(MCP\\)", "json"));
  const { type, url, headers } = mcpServers.zoetrope;
  const authorization = headers.Authorization.replace("zoe_live_…", env["ZOETROPE_API_KEY"]);
  const address = new URL(new URL(url).pathname, stack.apiUrl);
  const requestInit = { headers: { authorization } };
  const agent = new Client({ name: "test", version: "1.0.0" });
  await agent.connect(new StreamableHTTPClientTransport(address, { requestInit }));
  const { tools } = await agent.listTools();
  expect([type, tools.map(({ name }) => name)]).toEqual([
    "http",
    expect.arrayContaining(["generate"]),
  ]);
  await agent.close();
});

test("agent-over-mcp.ts makes a video and prints its link", async () => {
  const reader = await becomeReader("agent");
  const printed = await runExample("agent-over-mcp.ts", ["A heron"], reader);
  expect(printed).toMatch(/^COMPLETED for 24 credits: http.*\.mp4$/m);
});
