import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import type { Stack } from "@zoetrope/dev/stack.ts";
import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import { type Answer, callApi } from "../../../kit/call-api.ts";
import type { MarkFile } from "./mark-files.ts";
import type { MarkVendor } from "./mark-vendor.ts";

const atOnceMax = 6;
const endMsMax = 600_000;

interface TaskView {
  status: string;
  /** Of a generation. */
  errorCode?: string | null;
  /** Of an upscale. */
  error?: { code: string } | null;
  output: { url: string; labels: string[] }[] | null;
}

interface MarkRun {
  stack: Stack;
  vendor: MarkVendor;
  key: string;
}

/**
 * Gives each file to everything that reads marks: as the output of a vendor, as an asset, as the source of an
 * upscale and to anybody's verification. Returns what is wrong, one sentence each.
 */
export async function tryMarks(run: MarkRun, files: readonly MarkFile[]): Promise<string[]> {
  const wrong = await inParallel(atOnceMax, files, async (file, number) => {
    const isVideo = file.contentType === "video/mp4";
    const faults = [
      ...(await tryOutput(run, number, isVideo)),
      ...(await tryAsset(run, file)),
      ...(isVideo ? await tryUpscale(run, file) : []),
      ...(await tryVerify(run, file, number)),
    ];
    return faults.map((fault) => `${file.name}: ${fault}`);
  });
  return wrong.flat();
}

/** An output that is delivered carries the label of the service, and says so. */
async function tryOutput(run: MarkRun, number: number, isVideo: boolean): Promise<string[]> {
  const inputs = { prompt: `file ${number}` };
  const body = { model: isVideo ? "sd2" : "image-pro-2", inputs };
  const task = await finish(run, await post(run, "/api/v1/jobs/createTask", body));
  if (typeof task === "string") return [`as an output ${task}`];
  const [output] = task.output ?? [];
  if (output === undefined)
    return task.errorCode === "output_unusable" ? [] : [`as an output ${task.errorCode}`];
  const bytes = Buffer.from(await (await fetch(output.url)).arrayBuffer());
  const isLabelled = output.labels.includes("aigc") && bytes.includes("ContentProducer");
  return isLabelled ? [] : [`delivered with the labels ${JSON.stringify(output.labels)}`];
}

async function tryAsset(run: MarkRun, file: MarkFile): Promise<string[]> {
  const type = file.contentType === "video/mp4" ? "VIDEO" : "IMAGE";
  const upload = { url: run.vendor.urlOf(file), type, name: file.name };
  const asset = await post(run, "/api/v1/assets/upload", upload);
  if (asset === "none" || asset.status !== 200) return [`as an asset ${JSON.stringify(asset)}`];
  const { assetId } = asset.body as { assetId: number };
  let state = "";
  await waitUntil(
    `${file.name} is decided`,
    async () => {
      const answer = await get(run, `/api/v1/assets/status?assetId=${assetId}`);
      state = answer === "none" ? "" : (answer.body as { status: string }).status;
      return state !== "" && state !== "PROCESSING";
    },
    { timeoutMs: endMsMax, intervalMs: 200 },
  );
  return [];
}

async function tryUpscale(run: MarkRun, file: MarkFile): Promise<string[]> {
  const source = { type: "url", url: run.vendor.urlOf(file) };
  const body = { source, targetResolution: "1080p" };
  const answer = await post(run, "/api/v1/upscale/create", body);
  if (answer !== "none" && answer.status === 400) return [];
  const task = await finish(run, answer);
  if (typeof task === "string") return [`as a source ${task}`];
  const code = task.error?.code ?? "";
  const isFine = task.status === "completed" || /^(input_|SOURCE|INVALID|UNSUPPORTED)/.test(code);
  return isFine ? [] : [`as a source ${task.status} ${code}`];
}

async function tryVerify({ stack }: MarkRun, file: MarkFile, number: number): Promise<string[]> {
  const from = `192.0.2.${1 + number}`; // one address sends one file at a time
  const answer = async () => {
    const response = await fetch(`${stack.apiUrl}/api/v1/verify`, {
      method: "POST",
      headers: { "x-forwarded-for": from },
      body: new Uint8Array(file.body),
    });
    return { status: response.status, text: await response.text() };
  };
  let last = { status: 0, text: "" };
  await waitUntil(
    "a permit to be verified",
    async () => {
      last = await answer();
      return !last.text.includes("service_unavailable"); // others are verified
    },
    { timeoutMs: endMsMax, intervalMs: 500 },
  );
  return last.status === 200 ? [] : [`verify answered ${last.status} ${last.text}`];
}

function post({ stack, key }: MarkRun, path: string, body: object): Promise<Answer> {
  return callApi(stack.apiUrl, { method: "POST", path, key, body });
}

function get({ stack, key }: MarkRun, path: string): Promise<Answer> {
  return callApi(stack.apiUrl, { method: "GET", path, key });
}

/** The task of a create when it is over, or what the create answered. */
async function finish(run: MarkRun, created: Answer): Promise<TaskView | string> {
  if (created === "none" || created.status !== 200) return JSON.stringify(created);
  const { taskId } = created.body as { taskId: string };
  let task: TaskView | null = null;
  await waitUntil(
    `task ${taskId} ends`,
    async () => {
      const answer = await post(run, "/api/v1/jobs/query", { taskIds: [taskId] });
      if (answer === "none" || answer.status !== 200) return false;
      [task = null] = (answer.body as { tasks: TaskView[] }).tasks;
      return /^(completed|failed)$/i.test(task?.status ?? ""); // an upscale spells it in lower case
    },
    { timeoutMs: endMsMax, intervalMs: 300 },
  );
  return task ?? "nothing";
}
