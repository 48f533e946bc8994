import { createPrivateKey, sign } from "node:crypto";
import { copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { json, text } from "node:stream/consumers";
import { lavfi, renderFile } from "@zoetrope/testkit/make-media.ts";
import { descendantsOf, readProc } from "@zoetrope/testkit/process-tree.ts";
import { serve } from "@zoetrope/testkit/serve.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSigningBed, type SigningBed } from "../../test/harness/signing-bed.ts";
import { loadSigner } from "./load-signer.ts";
import { readManifest } from "./read-manifest.ts";
import { type SigningContext, signFile } from "./sign-file.ts";

const generated = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia";
const token = "a-token-that-nobody-guesses";

let bed: SigningBed;
let video: string;
beforeAll(async () => {
  bed = await openSigningBed();
  video = await renderFile(join(bed.dir, "video.mp4"), [
    ...lavfi("testsrc2=size=160x120:rate=12:duration=1"),
    ...["-pix_fmt", "yuv420p"],
  ]);
});
afterAll(() => bed[Symbol.asyncDispose]());

type Origin = Parameters<typeof signFile>[1]["origin"];

function signVideo(
  ctx: SigningContext,
  outputPath: string,
  origin: Origin = { action: "created", parent: null },
) {
  const input = { path: video, contentType: "video/mp4" };
  return signFile(ctx, { input, outputPath, title: "a task's id", origin, owner: "account" });
}

test("a signed video is ours when it is read, with what made it; a stranger's and an unsigned one are not", async () => {
  const ctx = bed.openContext();
  const path = join(bed.dir, "signed.mp4");
  const before = await readdir(bed.dir);
  const signed = await signVideo(ctx, path);
  expect(signed.parent).toBe("none");
  expect((await readdir(bed.dir)).sort()).toEqual([...before, "signed.mp4"].sort());
  const found = await readManifest(ctx, path, "video/mp4");
  expect(found).toMatchObject({
    kind: "manifest",
    isOurs: true,
    manifest: {
      state: "trusted",
      failures: [],
      id: signed.manifest,
      title: "a task's id",
      generator: "Zoetrope",
      signer: "Example Studio",
      sourceTypes: [generated],
    },
  });
  const unset = await readManifest(bed.openContext({}), path, "video/mp4");
  expect(unset).toMatchObject({ kind: "manifest", isOurs: false, manifest: { state: "valid" } });
  expect(await readManifest(ctx, video, "video/mp4")).toEqual({ kind: "none" });
  await writeFile(path, "not a video");
  expect(await readManifest(ctx, path, "video/mp4")).toMatchObject({ kind: "unreadable" });
});

test("a signature below the same issuing CA for another organisation is not ours", async () => {
  const { makeCertificates } = await loadSigner();
  const theirs = await makeCertificates({
    dir: join(bed.dir, "theirs"),
    organisation: "Another Studio",
    country: null,
    days: 9,
    issuerDir: bed.issuerDir,
  });
  const path = join(bed.dir, "theirs.mp4");
  const ctx = bed.openContext({
    LABEL_CERTIFICATE_FILE: theirs.certificateFile,
    LABEL_KEY_FILE: theirs.keyFile,
  });
  await signVideo(ctx, path);
  expect(await readManifest(ctx, path, "video/mp4")).toMatchObject({ isOurs: true });
  expect(await readManifest(bed.openContext(), path, "video/mp4")).toMatchObject({
    isOurs: false,
    manifest: { state: "trusted", signer: "Another Studio" },
  });
});

test("the parent's manifest is kept; a parent that cannot be read is logged and does not stop the signature", async () => {
  const ctx = bed.openContext();
  const [vendors, output] = [join(bed.dir, "vendors.mp4"), join(bed.dir, "child.mp4")];
  const { manifest } = await signVideo(ctx, vendors);
  const parent = { path: vendors, contentType: "video/mp4" };
  expect(await signVideo(ctx, output, { action: "resized", parent })).toMatchObject({
    parent: "read",
  });
  const child = await readManifest(ctx, output, "video/mp4");
  expect(child).toMatchObject({
    isOurs: true,
    manifest: {
      actions: [{ action: "c2pa.opened" }, { action: "c2pa.resized", sourceType: null }],
      ingredients: [{ relationship: "parentOf", manifest, failures: [] }],
      sourceTypes: [generated], // the parent's
    },
  });
  expect(ctx.lines).toEqual([]);
  await writeFile(vendors, "not a video");
  expect(await signVideo(ctx, output, { action: "resized", parent })).toMatchObject({
    parent: "unreadable",
  });
  expect(ctx.lines).toMatchObject([{ event: "label.parent.unreadable", title: "a task's id" }]);
  const orphan = await readManifest(ctx, output, "video/mp4");
  expect(orphan).toMatchObject({ isOurs: true, manifest: { sourceTypes: [] } });
});

test("a file that cannot be signed throws, leaves nothing behind, and overwrites nothing", async () => {
  const output = join(bed.dir, "kept.mp4");
  await copyFile(video, output);
  const before = await readdir(bed.dir);
  const refused = signFile(bed.openContext(), {
    input: { path: join(bed.issuerDir, "root.pem"), contentType: "video/mp4" },
    outputPath: output,
    title: "x",
    origin: { action: "created", parent: null },
    owner: "account",
  });
  await expect(refused).rejects.toThrow("the file cannot be signed: ");
  expect(await readdir(bed.dir)).toEqual(before);
  expect(await readFile(output)).toEqual(await readFile(video));
});

test("a KMS signs in place of the key: it gets the bytes and the token", async () => {
  const { LABEL_CERTIFICATE_FILE, LABEL_KEY_FILE } = bed.settings;
  const key = createPrivateKey(await readFile(LABEL_KEY_FILE));
  const calls: unknown[] = [];
  await using kms = await serve(async (request, response) => {
    const { algorithm, bytes } = (await json(request)) as { algorithm: string; bytes: string };
    calls.push({ method: request.method, authorization: request.headers.authorization, algorithm });
    const signature = sign("sha256", Buffer.from(bytes, "base64"), {
      key,
      dsaEncoding: "ieee-p1363",
    });
    response.end(JSON.stringify({ signature: signature.toString("base64") }));
  });
  const ctx = bed.openContext({
    LABEL_CERTIFICATE_FILE,
    LABEL_KMS_URL: kms.url,
    LABEL_KMS_TOKEN: token,
  });
  const path = join(bed.dir, "by-kms.mp4");
  await signVideo(ctx, path);
  expect(calls).toEqual([{ method: "POST", authorization: `Bearer ${token}`, algorithm: "ES256" }]);
  expect(await readManifest(ctx, path, "video/mp4")).toMatchObject({ isOurs: true });
});

test("a program that does not survive the parent is started again without it; one without a parent is not", async () => {
  const key = createPrivateKey(await readFile(bed.settings.LABEL_KEY_FILE));
  let killed = 0;
  let killsMax = 1;
  await using kms = await serve(async (request, response) => {
    const { bytes } = (await json(request)) as { bytes: string };
    if (killed < killsMax) {
      killed += 1;
      for (const pid of await findSigners()) process.kill(pid, "SIGKILL");
    }
    const signature = sign("sha256", Buffer.from(bytes, "base64"), {
      key,
      dsaEncoding: "ieee-p1363",
    });
    response.end(JSON.stringify({ signature: signature.toString("base64") }));
  });
  const ctx = bed.openContext({
    LABEL_CERTIFICATE_FILE: bed.settings.LABEL_CERTIFICATE_FILE,
    LABEL_KMS_URL: kms.url,
    LABEL_KMS_TOKEN: token,
  });
  const output = join(bed.dir, "survivor.mp4");
  const parent = { path: video, contentType: "video/mp4" };
  expect(await signVideo(ctx, output, { action: "resized", parent })).toMatchObject({
    parent: "unreadable",
  });
  expect(await readManifest(ctx, output, "video/mp4")).toMatchObject({ isOurs: true });
  expect(killed).toBe(1);
  killsMax = 2;
  await expect(signVideo(ctx, output)).rejects.toThrow("the signer ended early");
  expect(killed).toBe(2);
});

/** The processes of this test that have the program's code in their command line. */
async function findSigners(): Promise<number[]> {
  const found: number[] = [];
  for (const pid of await descendantsOf(process.pid))
    if (/^[^\0]*node\0.*sign-main\.js/.test(await readProc(pid, "cmdline"))) found.push(pid);
  return found;
}

test.each([
  ["is down", null, "LABEL_KMS_URL does not respond: ECONNREFUSED"],
  ["refuses the token", 401, "LABEL_KMS_URL responded with status 401"],
  ["redirects", 307, "LABEL_KMS_URL does not respond: unexpected redirect"],
  ["returns something else", 200, 'the response of LABEL_KMS_URL is not {"signature": base64}'],
] as const)("a KMS that %s is named without its URL or token", async (_fault, status, message) => {
  const gone = await serve(() => {});
  await gone[Symbol.asyncDispose]();
  await using kms = await serve(async (request, response) => {
    await text(request);
    response.writeHead(status ?? 500, { location: "http://127.0.0.1:9/" });
    response.end(`the token ${token}`);
  });
  const url = status === null ? gone.url : kms.url;
  const ctx = bed.openContext({
    LABEL_CERTIFICATE_FILE: bed.settings.LABEL_CERTIFICATE_FILE,
    LABEL_KMS_URL: url,
    LABEL_KMS_TOKEN: token,
  });
  const refused = await signVideo(ctx, join(bed.dir, "never.mp4")).catch(String);
  expect(refused).toBe(`Error: ${message}`);
});

test("a signature of another key is refused before it is in a file", async () => {
  await using kms = await serve((_request, response) =>
    response.end(JSON.stringify({ signature: Buffer.alloc(64, 1).toString("base64") })),
  );
  const ctx = bed.openContext({
    LABEL_CERTIFICATE_FILE: bed.settings.LABEL_CERTIFICATE_FILE,
    LABEL_KMS_URL: kms.url,
    LABEL_KMS_TOKEN: token,
  });
  await expect(signVideo(ctx, join(bed.dir, "never.mp4"))).rejects.toThrow(
    "the signature of LABEL_KMS_URL does not fit LABEL_CERTIFICATE",
  );
});

test("a time-stamp authority that fails is named, and nothing is signed without it", async () => {
  const queries: unknown[] = [];
  await using authority = await serve(async (request, response) => {
    queries.push(request.headers.authorization);
    request.resume();
    response.writeHead(503).end();
  });
  const url = authority.url.replace("//", "//user:hunter2@");
  const ctx = bed.openContext({ ...bed.settings, LABEL_TSA_URL: url });
  const refused = await signVideo(ctx, join(bed.dir, "never.mp4")).catch(String);
  expect(refused).toBe("Error: LABEL_TSA_URL responded with status 503");
  expect(queries).toEqual([`Basic ${Buffer.from("user:hunter2").toString("base64")}`]);
});
