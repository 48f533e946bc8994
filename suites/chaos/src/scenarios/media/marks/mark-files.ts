import { chunk, png } from "../../../kit/png.ts";
import { box, numbers } from "../files/mp4-boxes.ts";
import { h264, moving, type Renderer } from "../files/render.ts";

/** A file whose labels or manifests are hostile. */
export interface MarkFile {
  name: string;
  contentType: "video/mp4" | "image/png" | "image/jpeg" | "image/webp";
  body: Buffer;
}

/** C2PA's and XMP's boxes in an MP4. */
const c2paId = Buffer.from("d8fec3d61b0e483c92975828877ec481", "hex");
const xmpId = Buffer.from("be7acfcb97a942e89c71999491e3afac", "hex");
const nestedMax = 10_000;
const megabyte = 1024 * 1024;
const ordinary = '{"Label":"1","ContentProducer":"A Vendor","ProduceID":"7"}';
const labelOfProto = `{"__proto__":{"Label":"2","isValid":true},"constructor":{"prototype":{"x":1}},${ordinary.slice(1)}`;
const largeLabel = JSON.stringify({ Label: "1", ContentProducer: "x".repeat(megabyte) });

/** XMP that names a manifest at an address. */
function remoteXmp(url: string): string {
  return packet(
    `<rdf:Description rdf:about="" xmlns:dcterms="http://purl.org/dc/terms/" dcterms:provenance="${url}"/>`,
  );
}

function packet(inside: string, before = ""): string {
  return `${before}<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${inside}</rdf:RDF></x:xmpmeta>`;
}

/** Each entity is ten of the one before. */
const entities = (() => {
  const lines = Array.from(
    { length: 12 },
    (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`,
  );
  const declared = `<!DOCTYPE x [<!ENTITY e0 "zoetrope">${lines.join("")}]>`;
  return packet(`<rdf:Description rdf:about="">&e12;</rdf:Description>`, declared);
})();

/** One box in another, each with an honest size. */
function nest(depth: number): Buffer {
  const bytes = Buffer.alloc(8 * depth);
  for (let at = 0; at < depth; at++) {
    bytes.writeUInt32BE(bytes.length - 8 * at, 8 * at);
    bytes.write("jumb", 8 * at + 4, "latin1");
  }
  return bytes;
}

const description = box(
  "jumd",
  Buffer.from("6332706100110010800000aa00389b71", "hex"),
  Buffer.from("\x03c2pa\0", "latin1"),
);
/** Arrays in arrays, and one that claims to have 2^64 elements. */
const cborDeep = box("cbor", Buffer.alloc(nestedMax, 0x81));
const cborLong = box("cbor", Buffer.from("9bffffffffffffffff", "hex"));

const stores: Readonly<Record<string, Buffer>> = {
  nested: nest(nestedMax),
  "cbor-deep": box("jumb", description, box("jumb", description, cborDeep)),
  "cbor-long": box("jumb", description, box("jumb", description, cborLong)),
  junk: Buffer.alloc(4_096, 0xff),
  "size-lies": Buffer.concat([numbers(0x7fff_ffff), Buffer.from("jumb"), description]),
};

function c2paBox(store: Buffer): Buffer {
  return box("uuid", c2paId, numbers(0), Buffer.from("manifest\0"), Buffer.alloc(8), store);
}

/** Every hostile file; `url` is an address that nobody may ask. */
export async function makeMarkFiles(renderer: Renderer, url: string): Promise<MarkFile[]> {
  return [
    ...(await remoteFiles(renderer, url)),
    ...(await videos(renderer)),
    ...(await images(renderer)),
  ];
}

/** Files of every type whose XMP names a manifest at an address. */
export async function remoteFiles(renderer: Renderer, url: string): Promise<MarkFile[]> {
  const xmp = remoteXmp(url);
  const { mp4, jpeg, webp } = await bases(renderer);
  return [
    video("remote", Buffer.concat([mp4, box("uuid", xmpId, Buffer.from(xmp))])),
    picture("remote", "png", pngWith(itxt(xmp))),
    picture("remote", "jpeg", jpegWith(jpeg, xmpSegment(xmp))),
    picture("remote", "webp", webpWith(webp, "XMP ", Buffer.from(xmp), 0x04)),
  ];
}

async function bases(renderer: Renderer) {
  const still = moving(320, 320, 1, 1);
  const plain = ["-map_metadata", "-1", "-fflags", "+bitexact"];
  return {
    mp4: await renderer.render("marks.mp4", ...moving(320, 180, 4, 1), ...h264, ...plain),
    jpeg: await renderer.render("marks.jpg", ...still, "-frames:v", "1"),
    webp: await renderer.render("marks.webp", ...still, "-frames:v", "1"),
  };
}

async function videos(renderer: Renderer): Promise<MarkFile[]> {
  const { mp4 } = await bases(renderer);
  const behind = (...more: Buffer[]) => Buffer.concat([mp4, ...more]);
  const sized = (size: number) => {
    const lying = c2paBox(Buffer.alloc(64));
    lying.writeUInt32BE(size, 0);
    return lying;
  };
  const wide = Buffer.concat([numbers(1), Buffer.from("uuid"), numbers(0x4000_0000, 0), c2paId]);
  return [
    video("box-too-large", behind(sized(0x7fff_fff0))),
    video("box-to-the-end", behind(sized(0))),
    video("box-too-small", behind(sized(4))),
    video("box-of-2-62-bytes", behind(wide)),
    ...Object.entries(stores).map(([name, store]) => video(name, behind(c2paBox(store)))),
    video("xmp-entities", behind(box("uuid", xmpId, Buffer.from(entities)))),
    video("xmp-100-mb", behind(box("uuid", xmpId, Buffer.alloc(100 * megabyte, " ")))),
    video("label-1-mb", withTag(mp4, { text: largeLabel })),
    video("label-proto", withTag(mp4, { text: labelOfProto })),
    video("keys-count-lies", withTag(mp4, { text: ordinary, keys: 0xffff_ffff })),
    video("key-size-lies", withTag(mp4, { text: ordinary, keyBytes: 0x7fff_ffff })),
    video("value-size-lies", withTag(mp4, { text: ordinary, valueBytes: 0x7fff_ffff })),
    video("item-without-a-key", withTag(mp4, { text: ordinary, item: 0xffff_ffff })),
  ];
}

async function images(renderer: Renderer): Promise<MarkFile[]> {
  const { jpeg, webp } = await bases(renderer);
  const short = chunk("caBX", Buffer.alloc(64));
  short.writeUInt32BE(0x7fff_ffff, 0);
  const labelled = (text: string) => packet(labelElement(text));
  return [
    picture("chunk-too-large", "png", pngWith(short)),
    ...Object.entries(stores).map(([name, store]) =>
      picture(name, "png", pngWith(chunk("caBX", store))),
    ),
    picture("xmp-entities", "png", pngWith(itxt(entities))),
    picture("label-1-mb", "png", pngWith(itxt(labelled(largeLabel)))),
    picture("label-proto", "png", pngWith(itxt(labelled(labelOfProto)))),
    picture("chunk-too-large", "webp", webpWith(webp, "C2PA", Buffer.alloc(64), 0, 0x7fff_fff0)),
    picture("nested", "webp", webpWith(webp, "C2PA", nest(nestedMax), 0)),
    picture(
      "junk",
      "jpeg",
      jpegWith(
        jpeg,
        segment(0xeb, Buffer.from("JP\0\x01\0\0\0\x01\x7f\xff\xff\xffjumb", "latin1")),
      ),
    ),
    picture(
      "nested",
      "jpeg",
      jpegWith(
        jpeg,
        segment(0xeb, Buffer.concat([Buffer.from("JP\0\x01\0\0\0\x01", "latin1"), nest(4_000)])),
      ),
    ),
    picture("xmp-entities", "jpeg", jpegWith(jpeg, xmpSegment(entities))),
  ];
}

function video(name: string, body: Buffer): MarkFile {
  return { name: `${name}.mp4`, contentType: "video/mp4", body };
}

function picture(name: string, kind: "png" | "jpeg" | "webp", body: Buffer): MarkFile {
  return { name: `${name}.${kind}`, contentType: `image/${kind}`, body };
}

function labelElement(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<rdf:Description rdf:about="" xmlns:TC260="http://www.tc260.org.cn/ns/AIGC/1.0/"><TC260:AIGC>${escaped}</TC260:AIGC></rdf:Description>`;
}

interface Tag {
  text: string;
  /** The numbers that it claims; omitted: the true ones. */
  keys?: number;
  keyBytes?: number;
  valueBytes?: number;
  item?: number;
}

/** The video with a label among its keys. The index of a video of ffmpeg is its last box. */
function withTag(mp4: Buffer, { text, keys = 1, keyBytes, valueBytes, item = 1 }: Tag): Buffer {
  const key = box("mdta", Buffer.from("AIGC"));
  if (keyBytes !== undefined) key.writeUInt32BE(keyBytes, 0);
  const value = box("data", numbers(1, 0), Buffer.from(text));
  if (valueBytes !== undefined) value.writeUInt32BE(valueBytes, 0);
  const entry = Buffer.concat([numbers(8 + value.length, item), value]);
  const handler = box("hdlr", numbers(0, 0), Buffer.from("mdta"), Buffer.alloc(13));
  const meta = box(
    "meta",
    numbers(0),
    handler,
    box("keys", numbers(0, keys), key),
    box("ilst", entry),
  );
  const index = mp4.indexOf("moov") - 4;
  const changed = Buffer.concat([mp4, box("udta", meta)]);
  changed.writeUInt32BE(changed.length - index, index);
  return changed;
}

function pngWith(...before: Buffer[]): Buffer {
  return png(512, 512, { depth: 8, before });
}

function itxt(text: string): Buffer {
  const head = "XML:com.adobe.xmp\0\0\0\0\0";
  return chunk("iTXt", Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(text)]));
}

function segment(marker: number, inside: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(2 + inside.length, 2);
  return Buffer.concat([head, inside]);
}

function xmpSegment(text: string): Buffer {
  return segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${text}`));
}

function jpegWith(jpeg: Buffer, more: Buffer): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), more, jpeg.subarray(2)]);
}

/** The image in the extended form, with one more chunk. `claims` is the false size of that chunk. */
function webpWith(
  webp: Buffer,
  name: string,
  inside: Buffer,
  flags: number,
  claims?: number,
): Buffer {
  const riff = (title: string, bytes: Buffer, size = bytes.length) => {
    const head = Buffer.alloc(8);
    head.write(title, 0, "latin1");
    head.writeUInt32LE(size, 4);
    return Buffer.concat([head, bytes, Buffer.alloc(bytes.length % 2)]);
  };
  const extended = Buffer.alloc(10);
  extended.writeUInt8(flags, 0);
  extended.writeUIntLE(319, 4, 3);
  extended.writeUIntLE(319, 7, 3);
  const chunks = Buffer.concat([
    Buffer.from("WEBP"),
    riff("VP8X", extended),
    webp.subarray(12),
    riff(name, inside, claims),
  ]);
  return riff("RIFF", chunks);
}
