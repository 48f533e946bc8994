import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readConfig, type SandboxConfig } from "../src/config.ts";
import { sandboxForTest } from "./support.ts";

const keys = readConfig({});

export interface HttpAnswer {
  status: number;
  headers: Headers;
  /** The parsed JSON, or the text. */
  body: unknown;
}

/** Starts a sandbox that responds at once, with a client for each of its image vendors. */
export async function imagesForTest(changes: Partial<SandboxConfig> = {}) {
  const sandbox = await sandboxForTest({ imageMs: 0, ...changes });
  return {
    ...sandbox,
    ...imagesClient(sandbox.url),
    /** The creates in the journal so far. */
    creates: () =>
      readFileSync(join(sandbox.dir, "sandbox.jsonl"), "utf8")
        .split("\n")
        .filter((line) => line.includes('"event":"create"'))
        .map((line) => z.looseObject({}).parse(JSON.parse(line))),
  };
}

export const openaiKey = { authorization: `Bearer ${keys.openaiKey}` };
export const geminiKey = { "x-goog-api-key": keys.geminiKey };

export function imagesClient(url: string) {
  async function post(path: string, body: unknown, headers: Record<string, string>) {
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { ...headers, ...(!isForm && { "content-type": "application/json" }) },
      body: isForm || typeof body === "string" ? body : JSON.stringify(body),
    });
    return await read(response);
  }
  const generate = (prompt: string, fields: object = {}) =>
    post("/openai/v1/images/generations", { model: "gpt-image-2", prompt, ...fields }, openaiKey);
  const edit = (body: unknown) => post("/openai/v1/images/edits", body, openaiKey);
  const generateContent = (body: unknown, model = "gemini-3.1-flash-image") =>
    post(`/gemini/v1beta/models/${model}:generateContent`, body, geminiKey);
  const draw = (prompt: string, generationConfig: object = {}) =>
    generateContent({ contents: [{ parts: [{ text: prompt }] }], generationConfig });
  return { post, generate, edit, generateContent, draw };
}

async function read(response: Response): Promise<HttpAnswer> {
  const text = await response.text();
  const body: unknown = text.startsWith("{") ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body };
}

/** A multipart form of the fields that OpenAI's edits need, and images. */
export function editForm(fields: Record<string, string>, images: Blob[], name = "image[]") {
  const form = new FormData();
  const all = { model: "gpt-image-2", prompt: "make it spring", ...fields };
  for (const [key, value] of Object.entries(all)) form.append(key, value);
  for (const [at, image] of images.entries()) form.append(name, image, `image-${at}`);
  return form;
}

export function pngBlob(bytes: Buffer, type = "image/png"): Blob {
  return new Blob([new Uint8Array(bytes)], { type });
}

const openaiBody = z.looseObject({ data: z.array(z.object({ b64_json: z.string() })) });

/** Returns the images in a response of OpenAI. */
export function openaiImages({ body }: HttpAnswer): Buffer[] {
  return openaiBody.parse(body).data.map(({ b64_json }) => Buffer.from(b64_json, "base64"));
}

const partSchema = z.object({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  inlineData: z.object({ mimeType: z.string(), data: z.string() }).optional(),
});
const geminiBody = z.looseObject({
  candidates: z.array(z.looseObject({ content: z.object({ parts: z.array(partSchema) }) })),
});

export function geminiParts({ body }: HttpAnswer) {
  return geminiBody.parse(body).candidates.flatMap(({ content }) => content.parts);
}

/** Returns the last image in a response of Gemini that is no thought. */
export function geminiImage(answer: HttpAnswer): Buffer {
  const part = geminiParts(answer).findLast(({ inlineData, thought }) => inlineData && !thought);
  return Buffer.from(part?.inlineData?.data ?? "", "base64");
}

/** `1024x768`, from the header of a PNG. */
export function pngSize(bytes: Buffer): string {
  if (bytes.toString("latin1", 1, 4) !== "PNG") throw new Error("this is no PNG");
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
}
