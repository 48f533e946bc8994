import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { publicV4, publicV6 } from "./addresses.ts";

/**
 * The attacker's DNS. A name that is not listed as public here resolves to a private address, so
 * a request for a name that nobody thought of leads into the trap too.
 *
 * - `x<8 hex digits>.v4.test`, `x<32 hex digits>.v6.test`: that address; `c…` the same through a CNAME;
 *   `m…` a public address as well
 * - `rebind….test`: public and 127.0.0.1, alternately
 * - `<address>.nip.io`, with dots or dashes: that address
 */
const publicNames = new Set([
  ...["example", "redir", "big", "gz", "hdr", "tls", "xn--bcher-kva"].map((name) => `${name}.test`),
  "open",
  "open.internal", // private by their form alone
]);
const privateV4 = "10.0.0.7";
/** The engine asks GitHub for newer versions of itself by its own means; nothing of a user's is in that. */
const engineName = "api.github.com";
const slowMs = 30_000;
const manyMax = 1_000;

type Answer = { records: DnsRecord[]; isUnknown?: boolean };
type DnsRecord = { type: "A" | "AAAA"; address: string } | { type: "CNAME"; name: string };

const typeNumbers = { A: 1, CNAME: 5, AAAA: 28 } as const;

export async function startDns(): Promise<AsyncDisposable & { asked: Set<string> }> {
  const asked = new Set<string>();
  const questions = new Map<string, number>();
  const respond = (query: Buffer): { answer: Buffer; delayMs: number } => {
    const { name, type, end } = readQuestion(query);
    asked.add(name);
    const isA = type === typeNumbers.A;
    const nth = questions.get(name) ?? 0;
    if (isA) questions.set(name, nth + 1);
    const { records, isUnknown = false } = resolve(name, nth);
    const wanted = records.filter(
      (record) => record.type === "CNAME" || typeNumbers[record.type] === type,
    );
    const answer = writeAnswer(query.subarray(0, end), wanted, isUnknown ? 3 : 0);
    return { answer, delayMs: name.startsWith("slow.") ? slowMs : 0 };
  };

  const closing = new AbortController();
  const closed = closing.signal;
  const udp = createSocket("udp4");
  udp.on("message", (query, from) => {
    const { answer, delayMs } = respond(query);
    const bytes = answer.length > 512 ? truncated(answer) : answer;
    setTimeout(() => {
      if (!closed.aborted) udp.send(bytes, from.port, from.address, () => {});
    }, delayMs).unref();
  });
  udp.bind(53, "127.0.0.1");
  await once(udp, "listening");

  const tcp = createServer((socket) => {
    socket.on("error", () => {});
    let unread = Buffer.alloc(0);
    socket.on("data", (bytes) => {
      unread = Buffer.concat([unread, bytes]);
      // Both questions about a name come over one connection, maybe in one item.
      while (unread.length >= 2 && unread.length >= 2 + unread.readUInt16BE(0)) {
        const end = 2 + unread.readUInt16BE(0);
        const { answer } = respond(unread.subarray(2, end));
        unread = unread.subarray(end);
        const length = Buffer.alloc(2);
        length.writeUInt16BE(answer.length);
        socket.write(Buffer.concat([length, answer]));
      }
    });
  });
  tcp.listen(53, "127.0.0.1");
  await once(tcp, "listening");
  return {
    asked,
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      udp.close();
      tcp.close();
    },
  };
}

function resolve(name: string, nth: number): Answer {
  const both: DnsRecord[] = [a(publicV4), { type: "AAAA", address: publicV6 }];
  if (publicNames.has(name)) return { records: both };
  if (name.startsWith("rebind")) return { records: [a(nth % 2 === 0 ? publicV4 : "127.0.0.1")] };
  switch (name) {
    case "multi.test":
      return { records: [a(publicV4), a("10.0.0.1")] };
    case "aaaa-private.test":
      return { records: [a(publicV4), { type: "AAAA", address: "fd00::1" }] };
    case "cname-internal.test":
      return { records: [{ type: "CNAME", name: "localhost" }, a("127.0.0.1")] };
    case "nat64.test":
      return { records: [{ type: "AAAA", address: "64:ff9b::7f00:1" }] };
    case engineName:
    case "nx.test":
      return { records: [], isUnknown: true };
    case "empty.test":
      return { records: [] };
    case "many.test":
      return {
        records: [...Array.from({ length: manyMax - 1 }, () => a(publicV4)), a("10.0.0.1")],
      };
  }
  return {
    records: madeUp(name) ?? [a(name.startsWith("metadata") ? "169.254.169.254" : privateV4)],
  };
}

function madeUp(name: string): DnsRecord[] | null {
  const nip = /(?:^|[.-])(\d+)[.-](\d+)[.-](\d+)[.-](\d+)\.nip\.io$/.exec(name);
  if (nip !== null) return [a(nip.slice(1).join("."))];
  const [, form, digits, family] = /^([xcm])([0-9a-f]+)\.(v4|v6)\.test$/.exec(name) ?? [];
  if (digits === undefined) return null;
  const record: DnsRecord =
    family === "v4"
      ? a([...Buffer.from(digits, "hex")].join("."))
      : { type: "AAAA", address: (digits.match(/.{4}/g) ?? []).join(":") };
  if (form === "c") return [{ type: "CNAME", name: "inside.internal" }, record];
  return form === "m" ? [a(publicV4), record] : [record];
}

function a(address: string): DnsRecord {
  return { type: "A", address };
}

export function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

export function writeAnswer(question: Buffer, records: DnsRecord[], code: number): Buffer {
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180 | code, 2); // an answer, recursion available
  header.writeUInt16BE(records.length, 6);
  header.fill(0, 8, 12);
  let owner = Buffer.from([0xc0, 12]); // the name of the question
  const written = records.map((record) => {
    const data = dataOf(record);
    const fixed = Buffer.alloc(10); // TTL 0
    fixed.writeUInt16BE(typeNumbers[record.type], 0);
    fixed.writeUInt16BE(1, 2);
    fixed.writeUInt16BE(data.length, 8);
    const bytes = Buffer.concat([owner, fixed, data]);
    if (record.type === "CNAME") owner = Buffer.from(data);
    return bytes;
  });
  return Buffer.concat([header, question.subarray(12), ...written]);
}

function dataOf(record: DnsRecord): Buffer {
  if (record.type === "A") return Buffer.from(record.address.split(".").map(Number));
  if (record.type === "CNAME") {
    const labels = record.name.split(".").map((label) => Buffer.from(`_${label}`, "latin1"));
    for (const label of labels) label.writeUInt8(label.length - 1, 0);
    return Buffer.concat([...labels, Buffer.alloc(1)]);
  }
  return bytesOfV6(record.address);
}

export function bytesOfV6(address: string): Buffer {
  const [head = "", tail] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const zeros = Array<string>(8 - before.length - after.length).fill("0");
  const all = [...before, ...zeros, ...after];
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}

/** Header and question only, and the bit that says: ask by TCP. */
function truncated(answer: Buffer): Buffer {
  const short = Buffer.from(answer.subarray(0, readQuestion(answer).end));
  short.writeUInt16BE(0x8380, 2);
  short.fill(0, 6, 12);
  return short;
}
