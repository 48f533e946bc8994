import { once } from "node:events";
import { readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
  type Bed,
  contentTypes,
  type Extension,
  flipBit,
  openBed,
  runProgram,
  signBytes,
  signMedia,
} from "./bed.ts";
import { readWithDefaults } from "./read-with-defaults.ts";
import { actionsOf, activeOf, codesOf, readWithWasm } from "./read-with-wasm.ts";
import { startTimeStamps } from "./start-time-stamps.ts";

const extensions = Object.keys(contentTypes) as Extension[];
const generated = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia";

let bed: Bed;
beforeAll(async () => {
  bed = await openBed();
});
afterAll(() => bed.remove());

function read(path: string, extension: Extension, trustAnchors = "") {
  const input = { path, contentType: contentTypes[extension] };
  return runProgram({ operation: "read", input, trustAnchors });
}

test.each(extensions)(
  "a signed %s is valid for another reader, which names what made it, and one changed bit is found",
  async (extension) => {
    const output = join(bed.dir, `signed.${extension}`);
    const signed = await signMedia(bed, { extension, output });
    const manifest = expect.stringMatching(/^urn:c2pa:[0-9a-f-]{36}$/);
    expect(signed).toEqual({
      outcome: { signed: { manifest, parent: "none" } },
      questions: ["signature"],
      exitCode: 0,
      complaint: "",
    });
    const contentType = contentTypes[extension];
    const trusted = await readWithWasm(output, contentType, bed.rootPem);
    expect(trusted.validation_state).toBe("Trusted");
    expect(trusted.validation_results.activeManifest.failure).toEqual([]);
    expect(activeOf(trusted)).toMatchObject({
      title: "task_1",
      claim_generator_info: [{ name: "Zoetrope", version: "1.2.3" }],
    });
    expect(actionsOf(trusted)).toEqual([
      expect.objectContaining({ action: "c2pa.created", digitalSourceType: generated }),
    ]);
    const untrusted = await readWithWasm(output, contentType);
    expect(untrusted.validation_state).toBe("Valid");
    expect(codesOf(untrusted.validation_results.activeManifest.failure)).toEqual([
      "signingCredential.untrusted",
    ]);

    // Behind the manifest, in the pixels.
    const { size } = await stat(output);
    await flipBit(output, extension === "webp" ? 300 : size - 100);
    const changed = await readWithWasm(output, contentType);
    expect(changed.validation_state).toBe("Invalid");
    const { outcome } = await read(output, extension);
    expect(outcome).toMatchObject({ read: { state: "invalid" } });
  },
);

test("the parent's manifest is kept and its untouched bytes are confirmed", async () => {
  const [vendors, output] = [join(bed.dir, "vendors.mp4"), join(bed.dir, "child.mp4")];
  await signMedia(bed, { extension: "mp4", output: vendors });
  const parent = { path: vendors, contentType: "video/mp4" };
  const { outcome } = await signMedia(bed, {
    extension: "mp4",
    output,
    origin: { action: "edited", parent },
  });
  expect(outcome).toMatchObject({ signed: { parent: "read" } });
  const store = await readWithWasm(output, "video/mp4", bed.rootPem);
  expect(store.validation_state).toBe("Trusted");
  const [ingredient, ...more] = activeOf(store).ingredients;
  expect(more).toEqual([]);
  expect(ingredient).toMatchObject({ relationship: "parentOf" });
  const results = ingredient?.validation_results?.activeManifest;
  expect(codesOf(results?.success ?? [])).toEqual(
    expect.arrayContaining(["claimSignature.validated", "assertion.bmffHash.match"]),
  );
  expect(results?.failure).toEqual([]);
  expect(Object.keys(store.manifests)).toContain(ingredient?.active_manifest);
  expect(actionsOf(store).map(({ action }) => action)).toEqual(["c2pa.opened", "c2pa.edited"]);
});

test("a resized recording is not called generated", async () => {
  const output = join(bed.dir, "resized.mp4");
  const parent = { path: bed.media("mp4"), contentType: "video/mp4" };
  await signMedia(bed, { extension: "mp4", output, origin: { action: "resized", parent } });
  const store = await readWithWasm(output, "video/mp4", bed.rootPem);
  expect(store.validation_state).toBe("Trusted");
  const actions = actionsOf(store);
  expect(actions.map(({ action }) => action)).toEqual(["c2pa.opened", "c2pa.resized"]);
  expect(actions.filter((one) => "digitalSourceType" in one)).toEqual([]);
  expect((await read(output, "mp4")).outcome).toMatchObject({ read: { sourceTypes: [] } });
});

test("a parent that cannot be read is named without its manifest, and the file is signed", async () => {
  const [damaged, output] = [join(bed.dir, "damaged.mp4"), join(bed.dir, "orphan.mp4")];
  await writeFile(damaged, "not a video");
  const parent = { path: damaged, contentType: "video/mp4" };
  const { outcome } = await signMedia(bed, {
    extension: "mp4",
    output,
    origin: { action: "resized", parent },
  });
  expect(outcome).toMatchObject({ signed: { parent: "unreadable" } });
  const store = await readWithWasm(output, "video/mp4", bed.rootPem);
  expect(store.validation_state).toBe("Trusted");
  expect(activeOf(store).ingredients).toMatchObject([{ relationship: "parentOf" }]);
});

test("a parent that is ignored is not opened", async () => {
  const output = join(bed.dir, "ignored.mp4");
  const { outcome } = await signMedia(bed, {
    extension: "mp4",
    output,
    origin: { action: "edited", parent: { path: "/nowhere", contentType: "video/mp4" } },
    ignoresParent: true,
  });
  expect(outcome).toMatchObject({ signed: { parent: "unreadable" } });
});

test("a file without a manifest, and one of another type, are told apart", async () => {
  expect((await read(bed.media("png"), "png")).outcome).toEqual({ read: null });
  const another = join(bed.dir, "another.mp4");
  await writeFile(another, "not a video");
  expect((await read(another, "mp4")).outcome).toEqual({ fault: expect.any(String) });
});

test("a manifest at a URL in a file's XMP is not fetched, neither to read nor as a parent", async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const remote = join(bed.dir, "remote.jpg");
  await writeFile(
    remote,
    withXmp(
      await readFile(bed.media("jpg")),
      `<rdf:Description rdf:about="" xmlns:dcterms="http://purl.org/dc/terms/" dcterms:provenance="http://127.0.0.1:${port}/latest/meta-data"/>`,
    ),
  );
  await read(remote, "jpg");
  await signMedia(bed, {
    extension: "jpg",
    output: join(bed.dir, "of-remote.jpg"),
    origin: { action: "resized", parent: { path: remote, contentType: "image/jpeg" } },
  });
  expect(requests).toEqual([]);
  await readWithDefaults(remote, "image/jpeg");
  expect(requests).toEqual(["GET /latest/meta-data"]); // the file would be followed
});

function withXmp(jpeg: Buffer, description: string): Buffer {
  const packet = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${description}</rdf:RDF></x:xmpmeta>`;
  const body = Buffer.from(`http://ns.adobe.com/xap/1.0/\0${packet}`);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

test("a time stamp of an authority is asked for and confirmed by another reader", async () => {
  const stamp = await startTimeStamps(join(bed.dir, "certificates"), bed.dir);
  const output = join(bed.dir, "stamped.mp4");
  const { questions } = await signMedia(bed, {
    extension: "mp4",
    output,
    isTimeStamped: true,
    answer: async ({ ask, bytes }) =>
      ask === "signature" ? signBytes(bed, bytes) : stamp(Buffer.from(bytes, "base64")),
  });
  expect(questions).toEqual(["signature", "timeStamp"]);
  const store = await readWithWasm(output, "video/mp4", bed.rootPem);
  expect(store.validation_state).toBe("Trusted");
  expect(codesOf(store.validation_results.activeManifest.success)).toEqual(
    expect.arrayContaining(["timeStamp.validated", "timeStamp.trusted"]),
  );
  expect((await read(output, "mp4", bed.rootPem)).outcome).toMatchObject({
    read: { state: "trusted", signedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
  });
});

test("a signature that does not fit ends the program with a fault", async () => {
  const output = join(bed.dir, "unsigned.png");
  const wrong = await signMedia(bed, {
    extension: "png",
    output,
    answer: async () => Buffer.alloc(10_000),
  });
  expect(wrong).toMatchObject({ outcome: { fault: expect.any(String) }, exitCode: 0 });
});
