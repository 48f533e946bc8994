import { execFile } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { pattern, renderFile } from "@zoetrope/testkit/make-media.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId, type TaskId } from "../ids.ts";
import { measureMp4 } from "../media/mp4/measure-mp4.ts";
import { aigcOf, type LabelFrom, parseAigc } from "./aigc.ts";
import { labelMp4 } from "./label-mp4.ts";
import { labelVideo } from "./label-video.ts";
import { boxOf } from "./mp4-boxes.ts";
import { readAigc } from "./read-aigc.ts";

const run = promisify(execFile);
const taskId = newId<TaskId>(0);
const producer = "Acme & Söhne 生成";
const labelFrom: LabelFrom = (before) => ({
  aigc: aigcOf(producer, taskId, before),
  sourceType: "trainedAlgorithmicMedia",
});
const ours = aigcOf(producer, taskId, null);

let scratch: Scratch;
beforeAll(async () => {
  scratch = await makeScratch("labels");
});
afterAll(() => scratch.remove());

const shape = { size: "160x90", rate: 5, seconds: 3 };
const first = ["-movflags", "+faststart"];
const vendorsLabel = JSON.stringify({ Label: "1", ContentProducer: "Vendor", ProduceID: "v-1" });

const video = (name: string, options: readonly string[] = first) =>
  renderFile(join(scratch.path, name), [...pattern(shape), ...options]);

async function labelled(path: string, chunkBytes = 65_536, keepsSigned = true) {
  const bytes = await readFile(path);
  const { stream, result } = labelMp4(labelFrom, { keepsSigned });
  const chunks = function* () {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  };
  const out = await buffer(Readable.from(chunks()).pipe(stream));
  const copy = `${path}.labelled.mp4`;
  await writeFile(copy, out);
  return { bytes, out, copy, result: result() };
}

/** The digests of the streams, packet for packet. */
async function streamsOf(path: string): Promise<string> {
  const args = ["-v", "error", "-i", path, "-map", "0", "-c", "copy", "-f", "streamhash", "-"];
  return (await run("ffmpeg", args)).stdout;
}

async function exifOf(path: string): Promise<Record<string, unknown>> {
  const { stdout } = await run("exiftool", ["-j", "-G1", path]);
  return (JSON.parse(stdout) as Record<string, unknown>[])[0] ?? {};
}

const measured = (bytes: Buffer) => {
  const measuring = measureMp4();
  measuring.push(bytes);
  return measuring.end();
};

test.each([
  ["first", first],
  ["last", []],
])(
  "a video whose index comes %s carries a label that ffprobe and exiftool read, its streams are the same, and it is measured as before",
  async (name, options) => {
    const path = await video(`${name}.mp4`, options);
    const { bytes, out, copy, result } = await labelled(path);
    expect(result).toEqual({ kind: "labelled", aigc: ours });
    expect(await readAigc(copy, "video/mp4")).toBe(ours);
    const exif = await exifOf(copy);
    expect(JSON.parse(String(exif["Keys:AIGC"]))).toEqual(JSON.parse(ours));
    expect(exif["XMP-iptcExt:DigitalSourceType"]).toBe(
      "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia",
    );
    expect(await streamsOf(copy)).toBe(await streamsOf(path));
    expect(measured(out)).toEqual(measured(bytes));
    expect(measured(out).kind).toBe("measured");
  },
);

test("however a video is cut into chunks, it is labelled alike", async () => {
  const path = await video("chunks.mp4");
  const { out } = await labelled(path);
  for (const bytes of [1, 7, 1_000])
    expect((await labelled(path, bytes)).out.equals(out)).toBe(true);
});

test("a vendor's label and its other metadata stay", async () => {
  const path = await video("vendor.mp4", [
    ...["-movflags", "+faststart+use_metadata_tags"],
    ...["-metadata", `AIGC=${vendorsLabel}`, "-metadata", "title=A fox", "-metadata", "model=v1"],
  ]);
  const { copy, result } = await labelled(path);
  expect(result.kind).toBe("labelled");
  expect(parseAigc((await readAigc(copy, "video/mp4")) ?? "")).toMatchObject({
    ContentProducer: "Vendor",
    ProduceID: "v-1",
    ContentPropagator: producer,
    PropagateID: taskId,
  });
  const { stdout } = await run("ffprobe", ["-v", "error", "-show_entries", "format_tags", copy]);
  expect(stdout).toContain("TAG:title=A fox");
  expect(stdout).toContain("TAG:model=v1");
});

test("a video that a vendor has signed passes as it is, unless its manifest is kept elsewhere; bytes in place of a manifest are no signature", async () => {
  const path = await video("signed.mp4");
  const bytes = await readFile(path);
  const described = (type: string, ...parts: Buffer[]) =>
    boxOf("jumb", boxOf("jumd", Buffer.from(type, "hex"), Buffer.alloc(6, 3)), ...parts);
  const boxOfStore = (store: Buffer) =>
    boxOf(
      "uuid",
      Buffer.from("d8fec3d61b0e483c92975828877ec481", "hex"),
      Buffer.concat([Buffer.alloc(4), Buffer.from("manifest\0"), Buffer.alloc(8), store]),
    );
  const c2pa = "6332706100110010800000aa00389b71";
  const c2ma = "63326d6100110010800000aa00389b71";
  const manifest = boxOfStore(described(c2pa, described(c2ma)));
  const ftyp = bytes.readUInt32BE(0);
  for (const [of, junk] of Object.entries({
    zeros: Buffer.alloc(64),
    "another type": described(c2ma, described(c2ma)),
    "a store without a manifest": described(c2pa, described(c2pa)),
    "a store that ends": described(c2pa),
  })) {
    const box = boxOfStore(junk);
    await writeFile(path, Buffer.concat([bytes.subarray(0, ftyp), box, bytes.subarray(ftyp)]));
    expect((await labelled(path, 13)).result.kind, of).toBe("labelled");
  }
  await writeFile(path, Buffer.concat([bytes.subarray(0, ftyp), manifest, bytes.subarray(ftyp)]));
  const kept = await labelled(path, 13);
  expect(kept.result).toEqual({ kind: "signed" });
  expect(kept.out.equals(kept.bytes)).toBe(true);
  expect((await labelled(path, 13, false)).result.kind).toBe("labelled");
  await writeFile(path, Buffer.concat([bytes, manifest]));
  expect((await labelled(path)).result).toMatchObject({ kind: "broken", isSigned: true });
});

test.each([
  ["in fragments", ".mp4", ["-movflags", "frag_keyframe+empty_moov"], "video/mp4"],
  [
    "in fragments with an index of them",
    ".mp4",
    ["-movflags", "dash+frag_keyframe+global_sidx"],
    "video/mp4",
  ],
  ["of QuickTime", ".mov", [], "video/quicktime"],
  [
    "of WebM",
    ".webm",
    ["-c:v", "libvpx", "-c:a", "libopus", "-deadline", "realtime"],
    "video/webm",
  ],
])(
  "a video %s passes unchanged, and is labelled by ffmpeg with its streams as they were",
  async (name, ending, options, contentType) => {
    const encoder = ending === ".webm" ? [] : undefined;
    const path = await renderFile(join(scratch.path, `${name}${ending}`), [
      ...pattern(encoder === undefined ? shape : { ...shape, encoder }).filter(
        (_, at, all) => ending !== ".webm" || !["-c:a", "aac"].includes(all[at] ?? ""),
      ),
      ...options,
    ]);
    const passed = await labelled(path);
    expect(["unchanged", "labelled"]).toContain(passed.result.kind);
    if (passed.result.kind === "unchanged") expect(passed.out.equals(passed.bytes)).toBe(true);
    const sizeBytes = passed.bytes.length;
    const copy = await labelVideo({ path, contentType, sizeBytes }, labelFrom, scratch.path);
    expect(copy.aigc).toBe(ours);
    expect(await readAigc(copy.path, contentType)).toBe(ours);
    expect(await streamsOf(copy.path)).toBe(await streamsOf(path));
  },
);

test.each([
  ["as long as a label may be keeps its producer", vendorsText(4_096), "Vendor"],
  ["longer than any label is none", vendorsText(4_097), null],
  ["that is no JSON is none", "made by hand", null],
])(
  "a text in the place of the label %s, and what is written is read back",
  async (_name, text, kept) => {
    const options = ["-movflags", "use_metadata_tags", "-metadata", `AIGC=${text}`];
    const path = await video(`text-${text.length}.mp4`, options);
    expect(await readAigc(path, "video/mp4")).toBe(kept === null ? null : text);
    const source = { path, contentType: "video/mp4", sizeBytes: 1_000_000 };
    const { aigc } = await labelVideo(source, labelFrom, scratch.path);
    expect(JSON.parse(aigc)).toMatchObject({ ContentProducer: kept ?? producer });
  },
);

/** A vendor's label with so many characters. */
function vendorsText(characters: number): string {
  const label = (extra: string) => JSON.stringify({ ContentProducer: "Vendor", extra });
  return label("x".repeat(characters - label("").length));
}

test("a damaged index never throws, and never makes a video that is measured differently", async () => {
  const bytes = await readFile(await video("damaged.mp4"));
  const [from, to] = [bytes.indexOf("moov"), bytes.indexOf("mdat")];
  let usual = 0;
  for (let n = 0; n < 2_000; n++) {
    const damaged = Buffer.from(bytes);
    for (let times = randomInt(3); times >= 0; times--)
      damaged[randomInt(from + 4, to)] = randomInt(256);
    const { stream, result } = labelMp4(labelFrom, { keepsSigned: true });
    const out = await buffer(Readable.from([damaged]).pipe(stream));
    const before = measured(damaged);
    if (before.kind === "measured") usual += 1;
    if (before.kind === "measured" && result().kind === "labelled")
      expect(measured(out)).toEqual(before);
    if (result().kind === "unchanged") expect(out.equals(damaged)).toBe(true);
  }
  expect(usual).toBeGreaterThan(50);
});

test("of millions of tiny boxes a few dozen are read", async () => {
  const bytes = await readFile(await video("tiny.mp4"));
  const tiny = Buffer.from("\0\0\0\bfree".repeat(100_000), "latin1");
  const ftyp = bytes.readUInt32BE(0);
  const path = join(scratch.path, "tiny.mp4");
  await writeFile(path, Buffer.concat([bytes.subarray(0, ftyp), tiny, bytes.subarray(ftyp)]));
  const { out, bytes: whole, result } = await labelled(path);
  expect(result).toEqual({ kind: "unchanged", reason: "many boxes" });
  expect(out.equals(whole)).toBe(true);
});

test("a file that ends inside a box passes unchanged", async () => {
  const bytes = await readFile(await video("short.mp4"));
  for (const cut of [3, 9, 100, bytes.indexOf("mdat") + 2]) {
    const path = join(scratch.path, "cut.mp4");
    await writeFile(path, bytes.subarray(0, cut));
    const { out, result } = await labelled(path, 5);
    if (result.kind === "unchanged") expect(out.equals(bytes.subarray(0, cut))).toBe(true);
    else expect(result.kind).toBe("broken");
  }
});
