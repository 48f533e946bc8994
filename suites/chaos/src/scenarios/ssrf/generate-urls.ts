import { createRandom, type Random } from "../../kit/random.ts";
import { forbiddenV4, forbiddenV6 } from "./addresses.ts";
import { bytesOfV6 } from "./dns-server.ts";
import { everywhere, type Row, type Verdict } from "./rows.ts";
import { pick, spellV4, spellV6 } from "./spell-address.ts";

/** Ports that URLs name here, and that the trap listens on. */
const ports = [80, 443, 22, 25, 3000, 5432, 6379, 8080, 8443, 9070, 9080, 11_211, 65_535];
const names = [
  "localhost",
  "LocalHost",
  "a.localhost",
  "ｌｏｃａｌｈｏｓｔ",
  "localhost.localdomain",
];
const moreNames = ["metadata.google.internal", "printer.local", "db.lan", "x.home.arpa", "router"];
const otherSchemes = ["file", "ftp", "gopher", "dict", "data", "ldap", "ws", "unix", "jar:https"];

interface Made {
  url: string;
  verdict: Verdict;
}

/**
 * Generates URLs that depend on the seed alone. Each is made from an address that it must, or must
 * not, lead to.
 */
export function generateUrls(seed: number, count: number, corpus: readonly Row[]): Row[] {
  const random = createRandom(seed);
  const known = new Set(corpus.map(({ url }) => url));
  const rows = new Map<string, Row>(); // by URL: no two alike
  while (rows.size < count) {
    const number = rows.size;
    const { url, verdict } = makeUrl(number, random, corpus);
    if (known.has(url) || rows.has(url)) continue;
    rows.set(url, { id: `G${number}`, url, verdicts: everywhere(verdict) });
  }
  return [...rows.values()];
}

function makeUrl(number: number, random: Random, corpus: readonly Row[]): Made {
  const dice = random.next();
  if (dice < 0.7) return { url: decorate(forbiddenHost(random), random), verdict: "refuse" };
  if (dice < 0.78) return { url: decorate(privateName(random), random), verdict: "refuse" };
  if (dice < 0.84)
    return { url: `http://${resolvingName(random)}${path(random)}`, verdict: "refuse" };
  if (dice < 0.85) return { url: `http://rebind-${number}.test/`, verdict: "either" };
  if (dice < 0.88) return { url: redirect(random), verdict: "refuse" };
  if (dice < 0.885) return { url: `https://example.test/${number}.png`, verdict: "accept" };
  const noisy = noise(pick(corpus, random).url, random);
  return { url: noisy.slice(0, 4_000), verdict: "either" };
}

function forbiddenHost(random: Random): string {
  if (random.next() < 0.75) return spellV4(forbiddenV4Bytes(random), random);
  return spellV6(forbiddenV6Bytes(random), random);
}

function forbiddenV4Bytes(random: Random): number[] {
  const [address = "", bits] = pick(forbiddenV4, random).split("/");
  return within(Buffer.from(address.split(".").map(Number)), Number(bits), random);
}

function forbiddenV6Bytes(random: Random): number[] {
  const special = ["::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1", "::"];
  if (random.next() < 0.4) return [...bytesOfV6(pick(special, random))];
  const [address = "", bits] = pick(forbiddenV6, random).split("/");
  return within(bytesOfV6(address), Number(bits), random);
}

/** An address of the range: its first, its last, or any. */
function within(first: Buffer, bits: number, random: Random): number[] {
  const fill = pick([() => 0, () => 255, () => random.below(256)], random);
  return [...first].map((byte, index) => {
    const free = Math.min(8, Math.max(0, 8 * (index + 1) - bits));
    return byte | (fill() & (2 ** free - 1));
  });
}

function privateName(random: Random): string {
  const name = pick([...names, ...moreNames], random);
  return random.next() < 0.3 ? `${name}.` : name;
}

/** Has a public form and resolves to a forbidden address, maybe among others or by another name. */
function resolvingName(random: Random): string {
  const form = pick(["x", "c", "m"], random);
  const port = random.next() < 0.2 ? `:${pick(ports, random)}` : "";
  if (random.next() < 0.6)
    return `${form}${Buffer.from(forbiddenV4Bytes(random)).toString("hex")}.v4.test${port}`;
  return `${form}${Buffer.from(forbiddenV6Bytes(random)).toString("hex")}.v6.test${port}`;
}

function redirect(random: Random): string {
  const status = pick([301, 302, 303, 307, 308], random);
  const target = random.next() < 0.7 ? forbiddenHost(random) : resolvingName(random);
  const url = encodeURIComponent(`${pick(["http", "https"], random)}://${target}/`);
  return `http://redir.test/to?status=${status}&hops=${random.below(5)}&url=${url}`;
}

/** Decorates a host in ways that do not change where a URL leads, or that make it one that is not taken. */
function decorate(host: string, random: Random): string {
  const port = random.next() < 0.4 ? `:${pick(ports, random)}` : "";
  const user =
    random.next() < 0.1 ? pick(["example.test@", "u:p@", "example.test%40@", ":@"], random) : "";
  const authority = `${user}${host}${port}`;
  const begin = pick(
    ["http://", "https://", "HTTP://", "https:\\\\", "https:/", "http:", "///"],
    random,
  );
  const isOther = random.next() < 0.05;
  const url = `${isOther ? `${pick(otherSchemes, random)}://` : begin}${authority}${path(random)}`;
  if (random.next() < 0.1) return insert(url, pick(["\t", "\n", "\r"], random), random);
  return random.next() < 0.05 ? ` ${url} ` : url;
}

function path(random: Random): string {
  return pick(
    ["/", "", "/a.png", "?.example.test/", "#.example.test", "\\@example.test/", "/%2e%2e"],
    random,
  );
}

/** A few small changes; where the result leads is unspecified. */
function noise(url: string, random: Random): string {
  let noisy = url;
  for (let changes = 1 + random.below(3); changes > 0; changes -= 1) {
    const at = random.below(noisy.length);
    const form = random.below(4);
    if (form === 0) noisy = noisy.slice(0, at) + noisy.slice(at + 1);
    else if (form === 1) noisy = noisy.slice(0, at) + pick(oddities, random) + noisy.slice(at + 1);
    else if (form === 2) noisy = insert(noisy, pick(oddities, random), random);
    else noisy = noisy.replace(/test|localhost|\d+/, (found) => found + pick(oddities, random));
  }
  return noisy;
}

const oddities = [
  ".",
  "。",
  "..",
  ":",
  "/",
  "\\",
  "@",
  "#",
  "?",
  "%",
  "[",
  "]",
  "0",
  "1",
  "7",
  "x",
  "0x",
  "::",
  "\u0000",
  "\u00ad",
  "\u200d",
  "\u202e",
  "\ud800",
  "ß",
  "İ",
  "ⅷ",
  "%00",
  "%2f",
  "%5b",
  "xn--",
  "-",
];

function insert(text: string, what: string, random: Random): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + what + text.slice(at);
}
