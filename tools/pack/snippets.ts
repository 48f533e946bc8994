import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { lavfi, renderFile } from "@zoetrope/testkit/make-media.ts";
import type { Printed } from "./customer.ts";
import { strangersEnvironment } from "./install-packages.ts";
import { root } from "./list-packages.ts";

const run = promisify(execFile);
const blockMsMax = 600_000; // only what hangs reaches it

/**
 * The way in which a block of a page is run: as it stands, between what a reader has done before
 * and what shows that it worked.
 */
interface Run {
  readonly language: "sh" | "ts";
  /** A text that this block of the page alone has. */
  readonly has: string;
  readonly before?: string;
  readonly after?: string;
  /** Whether the block follows events until its reader has seen enough. */
  readonly isEndless?: true;
}

/** The id of an upload of one chunk, sent as the page says. */
const beginUpload = `begin() {
  api "$API/assets/uploads" -d "{\\"type\\":\\"$2\\",\\"size\\":$(stat -c %s "$1")}" > begun.json
  curl -sSf -T "$1" "$(jq -r '.chunks[0].url' begun.json)" >&2
  jq -r .uploadId begun.json
}`;

const api = `API=$URL/api/v1
api() { curl -sSf -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" "$@"; }
done_() { until [ "$(api "$API/jobs/queryTask?taskId=$1" -H "Prefer: wait=60" | jq -r .status)" = COMPLETED ]; do :; done; }
make() { ID=$(api "$API/jobs/createTask" -d "$1" | jq -r .taskId); done_ "$ID"; echo "$ID"; }`;

const makeVideo = `make '{"model":"sd2-fast","inputs":{"prompt":"a fox","duration":"4s"}}'`;
const makeImage = `make '{"model":"image-plus-2","inputs":{"prompt":"a fox","resolution":"1k"}}'`;

const client = `import { Zoetrope as Client } from "@zoetrope/sdk";\nconst client = new Client();`;

/** The blocks of pages for customers that no other test runs. */
export const pages: Readonly<Record<string, readonly Run[]>> = {
  "docs/api.md": [
    {
      language: "sh",
      has: "If-None-Match",
      before: `${api}\nTASK=$(${makeVideo})`,
    },
    {
      language: "sh",
      has: 'queryTask?taskId=$TASK" -H "Authorization: Bearer $KEY" -H \'Accept',
      before: `${api}\nTASK=$(${makeVideo})`,
    },
    { language: "sh", has: "$URL/api/v1/events", isEndless: true },
    { language: "sh", has: "split -b" },
    {
      language: "sh",
      has: "formUploadId",
      before: `${api}\n${beginUpload}\nID=$(begin frame.png IMAGE) FORM=$(begin form.png DOCUMENT)`,
    },
    {
      language: "sh",
      has: "task://$IMAGE_TASK",
      before: `${api}\nIMAGE_TASK=$(${makeImage}) VIDEO_TASK=$(${makeVideo})`,
    },
    { language: "sh", has: "account/usage" },
    { language: "sh", has: "--data-binary @boat.mp4", before: "cp small.mp4 boat.mp4" },
  ],
  "docs/test-mode.md": [{ language: "sh", has: "account/keys" }],
  "docs/uploads.md": [
    {
      language: "ts",
      has: "function edit(",
      after: `${client}\nconsole.log((await edit(client, "frame.png", "At night")).files[0].url);`,
    },
  ],
  "docs/idempotency.md": [
    {
      language: "ts",
      has: "function createOnce(",
      after: `${client}
const request = { model: "image-plus-2", inputs: { prompt: "a fox", resolution: "1k" } };
const ids = [];
for (const _ of [1, 2]) ids.push((await createOnce(client, request, "once")).taskId);
if (ids[0] !== ids[1]) throw new Error("two tasks");
console.log(ids[0]);`,
    },
  ],
  "docs/webhooks.md": [
    {
      language: "ts",
      has: "function catchUp(",
      after: `${client}
let seen = 0;
await catchUp(client, 0, async () => void (seen += 1));
if (seen === 0) throw new Error("no event");
console.log(seen);`,
    },
  ],
  "packages/cli/README.md": [
    { language: "sh", has: "npm install --global" },
    {
      language: "sh",
      has: "zoetrope login",
      before: 'zoetrope() { command zoetrope "$@" < typed; }',
    },
    { language: "sh", has: "zoetrope quote", before: "cp small.mp4 boat.mp4" },
    { language: "sh", has: "--batch herons.jsonl", before: "cp batch.jsonl herons.jsonl" },
    { language: "sh", has: "jq -r '.output[0].url'", after: 'curl -sSf -o heron.mp4 "$url"' },
  ],
};

/** Pages, or blocks of pages, that another test runs, and which; or why none does. */
export const ranElsewhere: Readonly<Record<string, string>> = {
  "docs/api.md isGenuine(": "packages/server/test/documented-callbacks.test.ts",
  "docs/api.md readCallback(": "packages/server/test/documented-callbacks.test.ts",
  "docs/api.md catchUp(": "packages/server/test/documented-callbacks.test.ts",
  "packages/cli/README.md zoetrope admin": "packages/cli/test/cli.test.ts",
  "docs/quickstart.md": "examples/test/examples.test.ts",
  "docs/people.md": "examples/test/examples.test.ts",
  "docs/labels.md":
    "packages/server/src/labels/documented-commands.test.ts; verify.db.test.ts sends what its curl commands send",
  "docs/coming-from.md": "packages/ai-sdk/test/provider.test.ts",
  "packages/ai-sdk/README.md": "packages/ai-sdk/test/provider.test.ts",
  "packages/dev/README.md": "tools/pack/first-minutes.test.ts",
  "packages/python/README.md":
    "packages/python/tests/test_readme.py; the wheel is unpacked by customer.ts, because pip needs PyPI",
  "packages/sdk/README.md": "packages/sdk/test/cases/readme.ts",
  "packages/mcp/README.md":
    "packages/mcp/test: serveStdio; it is not a package of its own for customers",
  "docs/mcp.md": "the agents' programs are not in Debian's packages or npm",
};

/** Pages for operators and developers of this repository. */
export const otherPages: readonly string[] = [
  "adding-an-endpoint",
  "admin-api",
  "backup",
  "console",
  "deploy",
  "engine-cluster",
  "labels-operator",
  "operations",
  "postgres-failover",
  "price-books",
  "review",
  "runbook",
]
  .map((name) => `docs/${name}.md`)
  .concat("packages/console/README.md", "packages/sandbox/README.md");

/** Blocks in these languages are programs or commands; an empty list where the page has none of them. */
export function blocksOf(text: string): string[] {
  return Array.from(text.matchAll(/^```(?:sh|ts)\n(.*?)^```$/gms), ([, block = ""]) => block);
}

export const readPage = (page: string): Promise<string> => readFile(join(root, page), "utf8");

/** A folder of a customer with the files that the pages name, inside the folder with the clients. */
export async function openCustomersFolder(app: string): Promise<string> {
  const dir = join(app, "snippets");
  await mkdir(dir);
  const image = (name: string, color: string) =>
    renderFile(join(dir, name), [...lavfi(`color=c=${color}:s=640x640:d=1`), "-frames:v", "1"]);
  await image("frame.png", "teal");
  await image("first.png", "orange");
  await image("form.png", "white");
  await renderFile(join(dir, "video.mp4"), lavfi("testsrc2=s=640x360:r=24:d=4"));
  await renderFile(join(dir, "small.mp4"), lavfi("testsrc2=s=320x180:r=24:d=0.5"));
  await writeFile(join(dir, "prompt.txt"), "A paper boat\n");
  const cli = await readPage("packages/cli/README.md");
  await writeFile(join(dir, "batch.jsonl"), /^```json\n(.*?)^```$/ms.exec(cli)?.[1] ?? "");
  return dir;
}

/** Runs a block and returns its output. Placeholders of an address, a key or an id are replaced. */
export async function runBlock(printed: Printed, dir: string, how: Run, block: string) {
  const { url, key } = printed;
  const text = block
    .replaceAll("https://media.example.com", url)
    .replaceAll("http://127.0.0.1:8080", url)
    .replaceAll("zoe_…", key)
    .replace(/^(zoetrope generate .*--async)(.*)$/m, "TASK_ID=$($1 | jq -r .taskId)$2")
    .replace(/\bTASK_ID -o/, '"$TASK_ID" -o');
  const program = [how.before ?? "", text, how.after ?? ""].join("\n");
  const theirs = strangersEnvironment();
  const env = {
    ...theirs,
    ZOETROPE_BASE_URL: url,
    ZOETROPE_API_KEY: key,
    URL: url,
    KEY: key,
    XDG_CONFIG_HOME: dir,
    npm_config_prefix: join(dir, "global"),
    PATH: `${join(dir, "global/bin")}:${theirs["PATH"]}`,
  };
  const options = { cwd: dir, env, timeout: blockMsMax };
  if (how.language === "ts") {
    await writeFile(join(dir, "snippet.ts"), program);
    return (await run(process.execPath, ["snippet.ts"], options)).stdout;
  }
  await writeFile(join(dir, "typed"), `${key}\n`);
  const { stdout } = how.isEndless
    ? await run("bash", ["-c", `set -eu\n(${program}) | head -n 1`], options)
    : await run("bash", ["-c", `set -euo pipefail\n${program}`], options);
  return stdout;
}
