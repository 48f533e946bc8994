import type { Random } from "../../kit/random.ts";

/** Ways to write an address as the host of a URL; all of them are that address, or no host at all. */
export function spellV4(bytes: readonly number[], random: Random): string {
  const spelling = pick(v4Spellings, random);
  const host = spelling(bytes, random);
  return random.next() < 0.3 ? disguise(host, random) : host;
}

type SpellV4 = (bytes: readonly number[], random: Random) => string;

const v4Spellings: readonly SpellV4[] = [
  (bytes) => bytes.join("."),
  (bytes) => String(wholeOf(bytes)),
  (bytes) => `0x${wholeOf(bytes).toString(16)}`,
  (bytes) => `0${wholeOf(bytes).toString(8)}`,
  (bytes) => bytes.map((byte) => `0x${byte.toString(16)}`).join("."),
  (bytes, random) =>
    bytes.map((byte) => "0".repeat(1 + random.below(5)) + byte.toString(8)).join("."),
  (bytes, random) => bytes.map((byte) => inSomeRadix(byte, random)).join("."),
  ([a = 0, b = 0, c = 0, d = 0], random) =>
    `${inSomeRadix(a, random)}.${inSomeRadix(wholeOf([0, b, c, d]), random)}`,
  ([a = 0, b = 0, c = 0, d = 0], random) =>
    `${a}.${inSomeRadix(b, random)}.${inSomeRadix(c * 256 + d, random)}`,
  (bytes) => `[::ffff:${bytes.join(".")}]`,
  (bytes) => `[::ffff:${groupsOf(bytes)}]`,
  (bytes) => `[0:0:0:0:0:FFFF:${groupsOf(bytes).toUpperCase()}]`,
  (bytes) => `[::${bytes.join(".")}]`,
  (bytes) => `[::ffff:0:${groupsOf(bytes)}]`,
  (bytes) => `[64:ff9b::${groupsOf(bytes)}]`,
  (bytes) => `[64:ff9b:1::${bytes.join(".")}]`,
  (bytes) => `[2002:${groupsOf(bytes)}::]`,
  (bytes, random) => `[2002:${groupsOf(bytes)}::${random.below(65_536).toString(16)}]`,
  (bytes) => `[2001:0:5ef5:79fd:0:0:${groupsOf(bytes.map((byte) => 255 - byte))}]`,
  (bytes) => `[fe80::5efe:${groupsOf(bytes)}]`,
];

export function spellV6(bytes: readonly number[], random: Random): string {
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((bytes[2 * index] ?? 0) * 256 + (bytes[2 * index + 1] ?? 0)).toString(16),
  );
  const padded = groups.map((group) => group.padStart(4, "0")).join(":");
  const text = pick([groups.join(":"), padded, shorten(groups.join(":"))], random);
  const cased = random.next() < 0.3 ? text.toUpperCase() : text;
  return random.next() < 0.1 ? `[${cased}%25lo]` : `[${cased}]`;
}

/** The first run of zeros as `::`. */
function shorten(text: string): string {
  return text.includes("0:0") ? text.replace(/(^|:)0(:0)+(:|$)/, "::") : text;
}

/** Other characters that mean the same in a host name. */
function disguise(host: string, random: Random): string {
  if (host.startsWith("[")) return host;
  const form = random.below(6);
  if (form === 0) return `${host}.`;
  if (form === 1) return host.replaceAll(".", pick(["。", "．", "｡"], random));
  if (form === 2)
    return host.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
  if (form === 3) return host.replace(/\d/g, (digit) => "⓪①②③④⑤⑥⑦⑧⑨"[Number(digit)] ?? digit);
  if (form === 4) return host.toUpperCase();
  return [...host].map((one) => (random.next() < 0.5 ? percent(one) : one)).join("");
}

function percent(character: string): string {
  return `%${(character.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}`;
}

function inSomeRadix(number: number, random: Random): string {
  return pick([String(number), `0x${number.toString(16)}`, `0${number.toString(8)}`], random);
}

function wholeOf(bytes: readonly number[]): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** Four bytes as two groups of an IPv6 address. */
function groupsOf(bytes: readonly number[]): string {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

export function pick<Item>(
  items: readonly [Item, ...Item[]] | readonly Item[],
  random: Random,
): Item {
  return items[random.below(items.length)] as Item;
}
