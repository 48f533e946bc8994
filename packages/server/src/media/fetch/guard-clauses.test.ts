import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { faultOfUrl } from "./public-address.ts";
import type { resolveAllowed } from "./safe-fetch.ts";

/**
 * Every clause of the guard is taken out in turn, in a copy of its source, and rows of the corpus that
 * `npm run chaos -- ssrf` sends get through that the whole guard stops. `npm run chaos -- guards` does
 * the same to the running service.
 */
const corpus = new URL(
  "../../../../../suites/chaos/src/scenarios/ssrf/urls.jsonl",
  import.meta.url,
);
const strict = { allowLoopback: false };
const web = ["https:", "http:"];

let dir: string;
let rows: { id: string; url: string }[];
let through: Set<string>;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "zoetrope-clauses-"));
  const lines = (await readFile(corpus, "utf8")).trim().split("\n");
  rows = lines.map((line) => JSON.parse(line) as { id: string; url: string });
  through = await letThrough("", "");
});
afterAll(() => rm(dir, { recursive: true }));

async function changed<Module>(file: string, clause: string, instead: string): Promise<Module> {
  const source = await readFile(new URL(file, import.meta.url), "utf8");
  expect(source.split(clause)).toHaveLength(clause === "" ? source.length : 2);
  const guard = new URL("public-address.ts", import.meta.url).href;
  const text = stripTypeScriptTypes(clause === "" ? source : source.replace(clause, () => instead))
    .replace('"ipaddr.js"', JSON.stringify(import.meta.resolve("ipaddr.js")))
    .replace('"undici"', JSON.stringify(import.meta.resolve("undici")))
    .replace('"./public-address.ts"', JSON.stringify(guard))
    .replace('"./resolve-name.ts"', JSON.stringify(import.meta.resolve("./resolve-name.ts")));
  const path = join(dir, `${crypto.randomUUID()}.mjs`);
  await writeFile(path, text);
  return (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Module;
}

async function letThrough(clause: string, instead: string): Promise<Set<string>> {
  const guard = await changed<{ faultOfUrl: typeof faultOfUrl }>(
    "public-address.ts",
    clause,
    instead,
  );
  const passed = rows.filter(({ url }) => guard.faultOfUrl(url, web, strict) === null);
  return new Set(passed.map(({ id }) => id));
}

test.each<[what: string, clause: string, instead: string, only: string[]]>([
  ["an unreadable URL", 'return "must be a valid URL"', "return null", ["S038", "S119", "S130"]],
  ["the protocol", "!protocols.includes(url.protocol)", "false", ["S097"]],
  ["user names", 'url.username !== "" || url.password !== ""', "false", ["S108", "S109"]],
  ["ports", "!isWebPort(url.port) && ", "false && ", ["S125", "S126", "S127"]],
  ["addresses", "isIP(host) !== 0", "false", ["S001", "S017", "S030", "S057", "S068"]],
  ["private names", "isPrivateName && ", "false && ", ["S007", "S071"]],
  ["names without a dot", '!host.includes(".") && ', "false && ", ["S009", "S072", "S073"]],
  ["trailing dots", '.replace(/\\.+$/, "")', "", ["S006"]],
  ["IPv4 ranges", 'parsed.range() === "unicast" && ', "", ["S001", "S057", "S062", "S068", "S075"]],
  ["Azure's host", " && !parsed.match(azureHost)", "", ["S074"]],
  [
    "IPv6 by allow-list",
    "parsed.match(ipv6Global) && ",
    "",
    ["S014", "S042", "S049", "S064", "S089"],
  ],
  ["protocol assignments", '"2001::/23",', "", ["S055", "S092", "S093", "S094"]],
  ["IPv6 documentation", '"2001:db8::/32",', "", ["S087"]],
  ["6to4", '"2002::/16",', "", ["S053", "S054"]],
  ["newer IPv6 documentation", '"3fff::/20",', "", ["S088"]],
])("without the clause for %s, rows get through", async (_what, clause, instead, only) => {
  const more = [...(await letThrough(clause, instead))].filter((id) => !through.has(id));
  expect(more).toEqual(expect.arrayContaining(only));
});

test("without the brackets taken off, a public IPv6 address is no longer taken", async () => {
  const less = await letThrough('.replace(/^\\[|\\]$/g, "")', "");
  expect([...through].filter((id) => !less.has(id))).toEqual(["S163"]);
});

test("of the rows that are to be refused, only names that have to be resolved get past the check of the URL", () => {
  const isNumber = /^https?:[/\\]*[\d.]+([/:?#]|$)|\[/;
  const numbers = rows.filter(({ id, url }) => through.has(id) && isNumber.test(url));
  expect(numbers.map(({ id }) => id)).toEqual(["S162", "S163"]);
});

/** The addresses to which the names of the corpus' class `dns` resolve. */
const answers: Record<string, string[]> = {
  "multi.test": ["93.184.215.14", "10.0.0.1"],
  "aaaa-private.test": ["93.184.215.14", "fd00::1"],
  "cname-internal.test": ["127.0.0.1"],
  "nat64.test": ["64:ff9b::7f00:1"],
  "localtest.me": ["127.0.0.1"],
};

async function resolved(clause: string, instead: string): Promise<string[]> {
  const resolveName = async (name: string) => answers[name] ?? [];
  const guard = await changed<{ resolveAllowed: typeof resolveAllowed }>(
    "safe-fetch.ts",
    clause,
    instead,
  );
  const names = Object.keys(answers);
  const outcomes = await Promise.allSettled(
    names.map((name) => guard.resolveAllowed(name, strict, resolveName)),
  );
  return names.filter((_, index) => outcomes[index]?.status === "fulfilled");
}

test("without the clause for resolved addresses, the names of the corpus get through", async () => {
  const every = "!addresses.every((address) => isAllowedAddress(address, policy))";
  const first = "!isAllowedAddress(first, policy)";
  expect(await resolved("", "")).toEqual([]);
  expect(await resolved(every, first)).toEqual(["multi.test", "aaaa-private.test"]);
  expect(await resolved(every, "false")).toEqual(Object.keys(answers));
});
