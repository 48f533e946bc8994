import { z } from "zod";
import type { SandboxConfig } from "../src/config.ts";
import { fileServer } from "./media-support.ts";
import { sandboxForTest, until } from "./support.ts";

export const falKey = "a-fal-key-for-tests";
export const submitPath = "/fal/fal-ai/bytedance-upscaler/upscale/video";
/** A directive that spares the tests a video they do not read. */
const cheap = "badvideo";

const submitSchema = z.looseObject({
  request_id: z.uuid(),
  status_url: z.url(),
  response_url: z.url(),
  cancel_url: z.url(),
});
const statusSchema = z.looseObject({ status: z.string(), request_id: z.uuid() });
const resultSchema = z.object({ video: z.looseObject({ url: z.string() }), duration: z.number() });

/** A sandbox that is spoken to as fal. */
export async function falSandbox(changes: Partial<SandboxConfig> = {}) {
  const sandbox = await sandboxForTest({ falKey, ...changes });
  const call = (method: string, path: string, body?: unknown) =>
    sandbox.call(method, path, body, { authorization: `Key ${falKey}` });
  const at = (url: string, method = "GET") => call(method, url.slice(sandbox.url.length));
  const submit = (body: object) => call("POST", submitPath, body);
  const submitted = async (body: object) => {
    const answer = await submit(body);
    if (answer.status !== 200) throw new Error(`not submitted: ${JSON.stringify(answer)}`);
    return submitSchema.parse(answer.body);
  };
  return {
    ...sandbox,
    call,
    at,
    submit,
    submitted,
    injectFault: (fault: string, times = 1) =>
      sandbox.control("POST", "/faults", { fault, times, vendor: "fal" }),
    /** Submits what becomes this. */
    scripted: async (fault: string) => {
      await sandbox.control("POST", "/faults", { fault, vendor: "fal" });
      return submitted({ video_url: "http://127.0.0.1:9/video.mp4" });
    },
    cheaply: async () => {
      await sandbox.control("POST", "/faults", { fault: cheap, vendor: "fal" });
      return submitted({ video_url: "http://127.0.0.1:9/video.mp4" });
    },
    reaches: (statusUrl: string, status: string) =>
      until(`it is ${status}`, async () => {
        const seen = statusSchema.parse((await at(statusUrl)).body);
        return seen.status === status ? seen : undefined;
      }),
    result: async (responseUrl: string) => resultSchema.parse((await at(responseUrl)).body),
  };
}

/** A sandbox and a server of sources. */
export async function falSandboxWith(files: Record<string, Buffer>) {
  return { sandbox: await falSandbox(), sources: await fileServer(files) };
}
