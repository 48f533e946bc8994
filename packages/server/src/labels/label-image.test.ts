import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId, type TaskId } from "../ids.ts";
import { aigcOf, type LabelFrom, parseAigc } from "./aigc.ts";
import { hasManifest, labelImage } from "./label-image.ts";
import { Unusual, uint32 } from "./mp4-boxes.ts";
import { aigcInXmp } from "./xmp.ts";

const run = promisify(execFile);
const taskId = newId<TaskId>(0);
const labelAs =
  (producer: string): LabelFrom =>
  (before) => ({
    aigc: aigcOf(producer, taskId, before),
    sourceType: "trainedAlgorithmicMedia",
  });
const ours = labelAs('Acme & <Söhne> "生成"');

let scratch: Scratch;
beforeAll(async () => {
  scratch = await makeScratch("label-image");
});
afterAll(() => scratch.remove());

const noise = (channels: 3 | 4) =>
  sharp({
    create: {
      width: 65,
      height: 33,
      channels,
      background: "red",
      noise: { type: "gaussian", mean: 128, sigma: 40 },
    },
  });
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source="a fox"/></rdf:RDF></x:xmpmeta>`;
const images: [string, string, () => Promise<Buffer>][] = [
  ["PNG", "image/png", () => noise(3).png().toBuffer()],
  ["PNG with alpha", "image/png", () => noise(3).ensureAlpha(0.5).png().toBuffer()],
  ["JPEG", "image/jpeg", () => noise(3).jpeg().toBuffer()],
  [
    "JPEG with Exif",
    "image/jpeg",
    () =>
      noise(3)
        .withExif({ IFD0: { Artist: "A" } })
        .jpeg()
        .toBuffer(),
  ],
  ["WebP", "image/webp", () => noise(3).webp().toBuffer()],
  ["WebP without loss", "image/webp", () => noise(3).webp({ lossless: true }).toBuffer()],
  ["WebP with alpha", "image/webp", () => noise(3).ensureAlpha(0.5).webp().toBuffer()],
  [
    "WebP with alpha, without loss",
    "image/webp",
    () => noise(3).ensureAlpha(0.5).webp({ lossless: true }).toBuffer(),
  ],
];

async function exifOf(file: Buffer): Promise<Record<string, unknown>> {
  const path = join(scratch.path, "image");
  await writeFile(path, file);
  const { stdout } = await run("exiftool", ["-j", "-G1", "-Warning", "-all", path]);
  return (JSON.parse(stdout) as Record<string, unknown>[])[0] ?? {};
}

const pixelsOf = (file: Buffer) => sharp(file).raw().toBuffer();

async function aigcOfImage(file: Buffer) {
  const { xmp: packet } = await sharp(file).metadata();
  return parseAigc(aigcInXmp(packet?.toString() ?? "") ?? "");
}

test.each(images)(
  "a %s gets a label that sharp and exiftool read, and keeps every pixel",
  async (_name, contentType, make) => {
    const file = await make();
    const labelled = labelImage(file, contentType, ours);
    expect(await aigcOfImage(labelled)).toEqual(JSON.parse(ours(null).aigc));
    expect((await pixelsOf(labelled)).equals(await pixelsOf(file))).toBe(true);
    const exif = await exifOf(labelled);
    expect(exif["XMP-iptcExt:DigitalSourceType"]).toContain("trainedAlgorithmicMedia");
    expect(JSON.parse(String(exif["XMP-TC260:Aigc"] ?? "{}"))).toEqual(JSON.parse(ours(null).aigc));
    expect(exif["ExifTool:Warning"]).toBeUndefined();
  },
);

test.each(images)(
  "a %s that a vendor has labelled keeps its producer, its other metadata and one label",
  async (_name, contentType, make) => {
    const file = labelImage(
      await sharp(await make())
        .withXmp(xmp)
        .keepExif()
        .toBuffer(),
      contentType,
      labelAs("Vendor"),
    );
    const labelled = labelImage(file, contentType, ours);
    expect(await aigcOfImage(labelled)).toMatchObject({ ContentProducer: "Vendor" });
    const packet = (await sharp(labelled).metadata()).xmp?.toString() ?? "";
    expect(packet.match(/<TC260:AIGC>/g)).toHaveLength(1);
    expect(packet).toContain("a fox");
    expect(packet.match(/DigitalSourceType>http/g)).toHaveLength(1);
  },
);

test.each(images)(
  "a %s that is cut anywhere is refused or labelled, and nothing else is thrown",
  async (_name, contentType, make) => {
    const file = await make();
    for (let at = 0; at < file.length; at += Math.ceil(file.length / 400)) {
      try {
        labelImage(file.subarray(0, at), contentType, ours);
      } catch (error) {
        expect(error).toBeInstanceOf(Unusual);
      }
      expect(hasManifest(file.subarray(0, at), contentType)).toBe(false);
    }
  },
);

test("bytes in place of a manifest are no signature, and the image is labelled", async () => {
  const { crc32 } = await import("node:zlib");
  const file = await noise(3).png().toBuffer();
  const headerEnd = 33;
  for (const junk of [Buffer.alloc(0), Buffer.alloc(4_096, 0xff)]) {
    const data = Buffer.concat([Buffer.from("caBX"), junk]);
    const chunk = Buffer.concat([uint32(junk.length), data, uint32(crc32(data))]);
    const whole = Buffer.concat([file.subarray(0, headerEnd), chunk, file.subarray(headerEnd)]);
    expect(hasManifest(whole, "image/png")).toBe(false);
    expect(labelImage(whole, "image/png", ours).includes("TC260:AIGC")).toBe(true);
  }
});

test("an image of a kind that carries no label is refused", () => {
  expect(() => labelImage(Buffer.from("BM"), "image/bmp", ours)).toThrow(Unusual);
});

test("a PNG with a compressed packet keeps what it says", async () => {
  const { deflateSync, crc32 } = await import("node:zlib");
  const file = await noise(3).png().toBuffer();
  const data = Buffer.concat([
    Buffer.from("iTXtXML:com.adobe.xmp\0\u0001\0\0\0"),
    deflateSync(Buffer.from(xmp)),
  ]);
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length - 4);
  crc.writeUInt32BE(crc32(data));
  const end = file.length - 12;
  const compressed = Buffer.concat([file.subarray(0, end), length, data, crc, file.subarray(end)]);
  const packet = (
    await sharp(labelImage(compressed, "image/png", ours)).metadata()
  ).xmp?.toString();
  expect(packet).toContain("a fox");
  expect(packet).toContain("TC260:AIGC");
});
