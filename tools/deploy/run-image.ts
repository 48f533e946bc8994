import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { createAdmin } from "../../packages/dev/src/open-admin.ts";
import { databaseOnlySettings } from "../../packages/dev/src/server-settings.ts";
import { freePorts } from "../../packages/dev/src/services/ports.ts";
import { startPostgres } from "../../packages/dev/src/services/postgres.ts";
import {
  answersHttp,
  printsLine,
  type ReadyProbe,
  startProcess,
} from "../../packages/dev/src/services/process.ts";
import { partitionsUsual, startRestate } from "../../packages/dev/src/services/restate.ts";
import { waitUntil } from "../../packages/dev/src/services/wait-until.ts";
import { withClient } from "../../packages/dev/src/services/with-client.ts";
import { createClient } from "../../packages/testkit/src/api-client.ts";
import { print } from "../../packages/testkit/src/print.ts";
import { probeVideo } from "../../packages/testkit/src/probe-video.ts";
import { descendantsOf } from "../../packages/testkit/src/process-tree.ts";
import { makeScratch } from "../../packages/testkit/src/services/scratch.ts";
import { becomeOperator, openFirstAccount } from "./become-operator.ts";

/**
 * Builds the image by deploy/build-image, looks into it, starts every role from it, makes a video with
 * the sandbox, and writes what it ran to deploy/what-was-run.md. PostgreSQL and the engine are this
 * machine's. The roles are started by `buildah run --isolation chroot`, which works where containers
 * cannot be nested; there is no user namespace in a chroot, so ffmpeg is not confined in this run.
 *
 *   npm run -s image -- [--base IMAGE] [--skip-build]
 */
const { values: given } = parseArgs({
  options: { base: { type: "string" }, "skip-build": { type: "boolean", default: false } },
});
const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const tag = "localhost/zoetrope:what-was-run";
const reviewerTag = `${tag}-reviewer`;
const user = "10001:10001";
const rows: [what: string, how: string, seen: string][] = [];
const roles = new Set<string>();
const startMsMax = 600_000;

async function out(command: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(command, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}

function saw(what: string, how: string, seen: string): void {
  rows.push([what, how, seen]);
  print(`${what}: ${seen}`);
}

function expectThat(isTrue: boolean, fault: string): void {
  if (!isTrue) throw new Error(fault);
}

type Settings = Readonly<Record<string, string>>;

/** Returns the arguments with which `buildah run` starts a command of the image as its own user. */
function inImage(container: string, settings: Settings, command: readonly string[]): string[] {
  const options = ["--isolation", "chroot", "--user", user, "--workingdir", "/app"];
  const env = Object.entries(settings).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  return ["run", ...options, ...env, container, "--", ...command];
}

async function build(): Promise<void> {
  if (given["skip-build"]) {
    saw("the image", `\`${tag}\`, from an earlier build`, "not built by this run");
    return;
  }
  const base = given.base === undefined ? [] : ["--base", given.base];
  await out("deploy/build-image", ...base, "--tag", tag, "--reviewer", reviewerTag);
  const version = (await out("buildah", "--version")).split(" ")[2];
  const from = given.base === undefined ? "a root from debootstrap" : `\`${given.base}\``;
  saw("the image", `\`deploy/build-image\`, buildah ${version}, on ${from}`, "built");
}

/** Checks the image's user, its Node, and whether the console is in it. */
async function look(container: string): Promise<number> {
  const config = JSON.parse(await out("buildah", "inspect", container)) as {
    OCIv1: { config: { User: string } };
  };
  expectThat(config.OCIv1.config.User === user, `the image's user is ${config.OCIv1.config.User}`);
  const id = await out("buildah", ...inImage(container, {}, ["id", "-u"]));
  saw("user", "`id -u`", id);
  const node = await out("buildah", ...inImage(container, {}, ["node", "--version"]));
  expectThat(/^v(2[4-9]|[3-9]\d)\./.test(node), `the image has Node ${node}`);
  saw("Node", "`node --version`", node);
  const list = ["find", "/app/packages/console/dist", "-type", "f"];
  const files = (await out("buildah", ...inImage(container, {}, list))).split("\n");
  expectThat(
    files.some((path) => path.endsWith("/index.html")),
    "the console has no index.html",
  );
  saw("console", "files in `CONSOLE_DIR`", String(files.length));
  const clients = await out("buildah", ...inImage(container, {}, ["ls", "/app/clients"]));
  expectThat(
    /^zoetrope-sdk-.*\.tgz$/m.test(clients) && /\.whl$/m.test(clients),
    "the clients' packages are missing",
  );
  saw("clients", "files in `PACKAGES_DIR`", clients.split("\n").join(", "));
  const sbom = ["cat", "/usr/share/zoetrope.cdx.json"];
  const parts = JSON.parse(await out("buildah", ...inImage(container, {}, sbom))) as {
    components: unknown[];
  };
  saw(
    "list of contents",
    "`/usr/share/zoetrope.cdx.json`",
    `${parts.components.length} components`,
  );
  const mounted = await out("buildah", "mount", container);
  const megabytes = Number((await out("du", "-sm", mounted)).split("\t")[0]);
  saw("size", "`du` of its files", `${megabytes} MB`);
  return megabytes;
}

/** One command of the image, until it ends. */
async function once(container: string, role: string, settings: Settings, ...args: string[]) {
  const command = ["zoetrope", role, ...args];
  const text = await out("buildah", ...inImage(container, settings, command));
  roles.add(role);
  return text;
}

interface Place {
  container: string;
  dir: string;
  /** The stack of the processes that are started and end with it. */
  stack: AsyncDisposableStack;
}

async function start(place: Place, role: string, settings: Settings, isReady: ReadyProbe) {
  const began = Date.now();
  const args = inImage(place.container, settings, ["tini", "-g", "--", "zoetrope", role]);
  const logFile = join(place.dir, "logs", `${role}.log`);
  const spec = { name: role, command: "buildah", args, logFile, isReady };
  const started = place.stack.use(await startProcess({ ...spec, readyTimeoutMs: startMsMax }));
  place.stack.defer(() => endBelow(started.pid));
  roles.add(role);
  saw(role, `\`zoetrope ${role}\``, `ready after ${((Date.now() - began) / 1000).toFixed(1)} s`);
}

/** `buildah run` passes no signal on: what it has started would outlive it. */
async function endBelow(pid: number): Promise<void> {
  const pids = await descendantsOf(pid);
  for (const one of pids) kill(one, "SIGTERM");
  const isOver = () => pids.every((one) => !kill(one, 0));
  await waitUntil("what buildah runs has ended", isOver, { timeoutMs: startMsMax });
}

/** Whether the process is there. */
function kill(pid: number, signal: "SIGTERM" | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** PostgreSQL of this machine with the schema that the image brings. */
async function migrate({ container, dir, stack }: Place) {
  const postgres = stack.use(await startPostgres({ dir: join(dir, "postgres") }));
  const at = (name: string) => `postgres://${name}@127.0.0.1:${postgres.port}/zoetrope`;
  await withClient(postgres.url, (db) => db.query("create database zoetrope"));
  await once(container, "migrate", { DATABASE_OWNER_URL: at("postgres") });
  saw("migrate", "`zoetrope migrate`", "the schema is there");
  await withClient(at("postgres"), (db) =>
    db.query("create role zoetrope_app login in role zoetrope_service"),
  );
  return { owner: at("postgres"), service: at("zoetrope_app") };
}

/** The secrets that the image makes, and a way to read them. */
async function mint(container: string, sandboxUrl: string) {
  const dir = "/tmp/secrets";
  const options = ["--dir", dir, "--sandbox-url", sandboxUrl, "--sandbox-for-live-keys"];
  const { made } = JSON.parse(await once(container, "secrets", {}, ...options)) as {
    made: string[];
  };
  saw("secrets", "`zoetrope secrets`", `made ${made.length}`);
  const mounted = await out("buildah", "mount", container);
  return async (folder: string, ...names: string[]) => {
    const files = names.map(
      async (name) => [name, await readFile(join(mounted, dir, folder, name), "utf8")] as const,
    );
    return Object.fromEntries(await Promise.all(files));
  };
}

/** Starts every role, with the database and the engine of this machine; returns how to call the api. */
async function startRoles(place: Place) {
  const { container, dir, stack } = place;
  const [sandboxPort = 0, linkPort = 0, healthPort = 0] = await freePorts(3);
  const readSecrets = await mint(container, `http://127.0.0.1:${sandboxPort}`);
  const urls = await migrate(place);
  const restate = stack.use(await startRestate({ dir: join(dir, "restate") }));
  const {
    WORK_DIR: _work,
    STORAGE_DIR: _storage,
    ...base
  } = await databaseOnlySettings(dir, urls.service);
  const settings: Settings = {
    ...base,
    ...(await readSecrets("service", "VENDORS", "KEY_RING", "VENDOR_CALLBACK_SECRET")),
    NODE_ENV: "development",
    API_HOST: "127.0.0.1",
    WORKER_HOST: "127.0.0.1",
    HEALTH_PORT: String(healthPort),
    STORAGE_DIR: "/var/lib/zoetrope/storage",
    RESTATE_INGRESS_URL: restate.ingressUrl,
    RESTATE_ADMIN_URL: restate.adminUrl,
    ENGINE_PARTITIONS: String(partitionsUsual),
    WORKER_URL: `http://127.0.0.1:${base.WORKER_PORT}`,
  };
  const keys = ["ARK", "DASHSCOPE", "OPENAI", "GEMINI"].map((name) => `SANDBOX_${name}_KEY`);
  const sandbox = {
    ...(await readSecrets("sandbox", ...keys)),
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_LINK_PORT: String(linkPort),
    SANDBOX_PUBLIC_URL: `http://127.0.0.1:${linkPort}`,
    SANDBOX_SERVICE_URL: base.PUBLIC_URL,
  };
  await start(place, "sandbox", sandbox, printsLine(/sandbox\.listening/));
  await tryAsStranger(`http://127.0.0.1:${linkPort}`);
  await start(place, "api", settings, answersHttp(`${base.PUBLIC_URL}/health`));
  await start(place, "worker", settings, printsLine(/"event":"worker\.registered"/));
  const { API_PORT } = base;
  await once(container, "health", { API_PORT, HEALTH_PORT: String(healthPort) });
  saw("health", "`zoetrope health`", "healthy");
  const page = await fetch(`${base.PUBLIC_URL}/console`);
  expectThat(page.ok && (await page.text()).includes("<script"), "the console is not served");
  saw("console", "`GET /console`", String(page.status));
  const key = await openAccount(
    container,
    { ...settings, DATABASE_OWNER_URL: urls.owner },
    base.PUBLIC_URL,
  );
  return { apiUrl: base.PUBLIC_URL, key };
}

/** The port that may be public serves signed links: neither control endpoints nor a vendor's calls. */
async function tryAsStranger(url: string): Promise<void> {
  const calls = [
    ["GET", "/_sandbox/stats"],
    ["GET", "/api/v3/contents/generations/tasks"],
    ["POST", "/api/v3/contents/generations/tasks"],
  ] as const;
  for (const [method, path] of calls) {
    const { status } = await fetch(`${url}${path}`, { method });
    expectThat(
      status === 404,
      `the public port of the sandbox answers ${method} ${path}: ${status}`,
    );
  }
  saw("public port of the sandbox", "`/_sandbox/stats`, `/api/v3/…`", "404");
}

async function openAccount(container: string, settings: Settings, apiUrl: string): Promise<string> {
  const command = ["person", "create-operator", "--email", "ada@example.com", "--json"];
  const { link } = JSON.parse(await once(container, "operator", settings, ...command)) as {
    link: string;
  };
  saw("operator", "`zoetrope operator person create-operator`", "a link");
  const admin = createAdmin(apiUrl, () => becomeOperator(apiUrl, link));
  const key = await openFirstAccount(admin);
  saw("operator API", "a service key, an account, credits, an API key", "a key");
  return key;
}

async function makeVideo(apiUrl: string, key: string, dir: string): Promise<void> {
  const client = createClient(apiUrl, key, { taskMsMax: 900_000, pollMs: 500 });
  const taskId = await client.create("sd2", { prompt: "A paper boat crosses a puddle" });
  const { output, ...ended } = await client.finished(taskId);
  const [file] = output ?? [];
  if (file === undefined) throw new Error(`no video: ${JSON.stringify(ended)}`);
  const path = join(dir, "video.mp4");
  await writeFile(path, Buffer.from(await (await fetch(file.url)).arrayBuffer()));
  const { seconds, width, height, video } = await probeVideo(path);
  saw("a video", "`createTask`, then its link", `${seconds} s, ${width}x${height}, ${video}`);
}

/** The models judge an image inside the variant that has them. */
async function judge(): Promise<void> {
  const container = await out("buildah", "from", "--pull=never", reviewerTag);
  try {
    const program = `
      const { createJudge } = await import("@zoetrope/reviewer");
      const pixels = { data: new Uint8Array(3 * 64 * 64).fill(128), width: 64, height: 64 };
      console.log(JSON.stringify(await createJudge().judge(pixels)));
      process.exit(0);`;
    const command = [
      "sh",
      "-c",
      'cd packages/server && exec node --input-type=module -e "$0"',
      program,
    ];
    const scores = JSON.parse(
      (await out("buildah", ...inImage(container, {}, command))).split("\n").at(-1) ?? "",
    );
    expectThat(Object.keys(scores).length > 0, "the models gave no score");
    const mounted = await out("buildah", "mount", container);
    const megabytes = (await out("du", "-sm", mounted)).split("\t")[0];
    saw(
      "the image with the reviewer",
      "`deploy/Containerfile.reviewer`: its models judge an image",
      `${megabytes} MB; ${Object.keys(scores).join(", ")}`,
    );
  } finally {
    await out("buildah", "rm", container);
  }
}

async function writeTable(): Promise<void> {
  const commit = await out("git", "rev-parse", "HEAD");
  const isChanged = (await out("git", "status", "--porcelain")) !== "";
  const day = new Date().toISOString().slice(0, 10);
  const lines = rows.map((row) => `| ${row.join(" | ")} |`).join("\n");
  const text = `# What was run

Written by \`npm run -s image\` on ${day}, at commit ${commit}${isChanged ? " with changes" : ""}. PostgreSQL and the engine were those of the machine; the roles were started by \`buildah run --isolation chroot\`, with this machine's network and without a read-only root. What is not in this table was not run from the image at that commit.

| what | how | seen |
| --- | --- | --- |
${lines}
`;
  await writeFile(join(root, "deploy/what-was-run.md"), text);
}

await build();
const container = await out("buildah", "from", "--pull=never", tag);
const scratch = await makeScratch("image");
let megabytes = 0;
try {
  await mkdir(join(scratch.path, "logs"), { recursive: true });
  megabytes = await look(container);
  await using stack = new AsyncDisposableStack();
  const { apiUrl, key } = await startRoles({ container, dir: scratch.path, stack });
  await makeVideo(apiUrl, key, scratch.path);
} finally {
  await out("buildah", "rm", container);
  await rm(scratch.path, { recursive: true, force: true });
}
await judge();
await writeTable();
print(`built=${given["skip-build"] ? 0 : 1} size_mb=${megabytes} roles=${roles.size} video=1`);
