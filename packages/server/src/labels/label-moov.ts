import type { LabelFrom } from "./aigc.ts";
import { type Box, boxesIn, boxOf, Unusual, uint32 } from "./mp4-boxes.ts";

const key = "AIGC";
/** The version and flags of a full box. */
const flags = uint32(0);
/** The type and locale of a value before its bytes: UTF-8 text. */
const textHead = Buffer.concat([uint32(1), uint32(0)]);

/** A key of the metadata and its `data` box. */
type Pair = [key: string, data: Buffer];

/**
 * The children of an MP4's `moov` with the label as an entry of `udta/meta`, where ffprobe and exiftool read
 * it. Everything else stays. `bytesBehind`: what is added behind the index where the media data follows,
 * whose places move by all that is added; `null`: the media data comes first.
 */
export function labelMoov(
  moov: Buffer,
  labelFrom: LabelFrom,
  bytesBehind: number | null,
): { moov: Buffer; aigc: string } {
  const boxes = boxesIn(moov);
  const udtas = boxes.filter(({ name }) => name === "udta");
  const [udta] = udtas;
  if (boxes.some(({ name }) => name === "mvex")) throw new Unusual("fragments");
  if (udtas.length > 1) throw new Unusual("more than one udta");
  if (boxes.some((box) => box.name === "meta" && box.body.includes(key)))
    throw new Unusual("a label in another place");
  const inside = udta === undefined ? [] : boxesIn(udta.body);
  const meta = inside.find(isKeyed);
  const pairs = meta === undefined ? [] : pairsIn(meta);
  const before = pairs.find(([name]) => name === key)?.[1];
  const { aigc } = labelFrom(before === undefined ? null : textOf(before));
  const kept = pairs.filter(([name]) => name !== key);
  const next = Buffer.concat([
    ...boxes.filter((box) => box !== udta).map(({ whole }) => whole),
    boxOf(
      "udta",
      ...inside.filter((box) => box !== meta).map(({ whole }) => whole),
      metaOf([...kept, [key, boxOf("data", textHead, Buffer.from(aigc))]]),
    ),
  ]);
  if (bytesBehind !== null) moveChunks(next, next.length - moov.length + bytesBehind);
  return { moov: next, aigc };
}

/** A `meta` box whose entries have keys, as QuickTime and ffmpeg write them; others have iTunes's. */
function isKeyed({ name, body }: Box): boolean {
  return name === "meta" && body.toString("latin1", 20, 24) === "mdta"; // 4 of flags, hdlr with 8 + 8
}

function pairsIn({ body }: Box): Pair[] {
  const parts = new Map(boxesIn(body.subarray(4)).map((part) => [part.name, part.body]));
  const [keys, items] = [parts.get("keys"), parts.get("ilst")];
  if (keys === undefined || items === undefined) throw new Unusual("metadata without its keys");
  const names = boxesIn(keys.subarray(8)).map((one) => one.body.toString());
  return boxesIn(items).map(({ whole, body: data }) => {
    const name = names[whole.readUInt32BE(4) - 1];
    if (name === undefined) throw new Unusual("metadata without its key");
    return [name, data];
  });
}

function textOf(item: Buffer): string {
  const [data] = boxesIn(item);
  if (data?.name !== "data" || data.body.length < textHead.length)
    throw new Unusual("metadata without a value");
  return data.body.toString("utf8", textHead.length);
}

function metaOf(pairs: readonly Pair[]): Buffer {
  const handler = boxOf("hdlr", flags, uint32(0), Buffer.from("mdta"), Buffer.alloc(13));
  const keys = pairs.map(([name]) => boxOf("mdta", Buffer.from(name)));
  const items = pairs.map(([, data], index) =>
    Buffer.concat([uint32(8 + data.length), uint32(index + 1), data]),
  );
  return boxOf(
    "meta",
    flags,
    handler,
    boxOf("keys", flags, uint32(pairs.length), ...keys),
    boxOf("ilst", ...items),
  );
}

const containers: readonly string[] = ["trak", "mdia", "minf", "stbl"];

/** Moves the places of all chunks, in place. A place beyond 4 GiB in a table of 32 bits throws. */
function moveChunks(bytes: Buffer, by: number): void {
  for (const { name, body } of boxesIn(bytes)) {
    if (containers.includes(name)) moveChunks(body, by);
    if (name === "stco")
      for (let at = 8; at < 8 + 4 * body.readUInt32BE(4); at += 4)
        body.writeUInt32BE(body.readUInt32BE(at) + by, at);
    if (name === "co64")
      for (let at = 8; at < 8 + 8 * body.readUInt32BE(4); at += 8)
        body.writeBigUInt64BE(body.readBigUInt64BE(at) + BigInt(by), at);
  }
}
