import { createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

/**
 * Makes the secrets of a deployment on one machine, each in a folder that only its user mounts. What is
 * there already stays, so it can run before every start. It prints names, never values.
 *
 *   mint-secrets.ts --dir DIR [--sandbox-url URL] [--sandbox-for-live-keys] [--vendors-from-stdin]
 */
const { values: options } = parseArgs({
  options: {
    dir: { type: "string" },
    "sandbox-url": { type: "string" },
    "sandbox-for-live-keys": { type: "boolean", default: false },
    "vendors-from-stdin": { type: "boolean", default: false },
  },
});
const { dir } = options;
if (dir === undefined) {
  process.stderr.write("Usage: mint-secrets.ts --dir DIR\n");
  process.exit(2);
}

/** Folders and who reads them: uids of the official postgres image, of Restate's and of ours. */
const readers = { postgres: 999, engine: 0, owner: 10001, service: 10001, sandbox: 10001 } as const;
type Folder = keyof typeof readers;

const made: string[] = [];
for (const folder of Object.keys(readers) as Folder[]) {
  mkdirSync(join(dir, folder), { recursive: true });
}
const ownerPassword = mint("postgres", "owner-password", randomText);
const servicePassword = mint("postgres", "service-password", randomText);
const at = (user: string, password: string) =>
  `postgres://${user}:${password}@postgres:5432/zoetrope`;
mint("owner", "DATABASE_OWNER_URL", () => at("zoetrope_owner", ownerPassword));
mint("service", "DATABASE_URL", () => at("zoetrope_app", servicePassword));
mint("service", "VENDOR_CALLBACK_SECRET", randomText);
mint("service", "KEY_RING", makeKeyRing);
const pem = mint("engine", "identity.pem", makeIdentity);
put("service", "RESTATE_IDENTITY_KEY", publicKeyOf(pem));

const vendorKinds = [
  { kind: "ark", path: "/api/v3", key: "SANDBOX_ARK_KEY" },
  { kind: "dashscope", path: "/dashscope/api/v1", key: "SANDBOX_DASHSCOPE_KEY" },
  { kind: "openai", path: "/openai/v1", key: "SANDBOX_OPENAI_KEY" },
  { kind: "gemini", path: "/gemini/v1beta", key: "SANDBOX_GEMINI_KEY" },
] as const;
for (const { key } of vendorKinds) mint("sandbox", key, randomText);
for (const key of ["SANDBOX_FAL_KEY", "SANDBOX_ARK_ACCESS_KEY", "SANDBOX_ARK_SECRET_KEY"])
  mint("sandbox", key, randomText);
if (options["vendors-from-stdin"]) put("owner", "vendors.json", readVendors());
put("service", "VENDORS", JSON.stringify([...ownVendors(), ...sandboxVendors()]));
process.stdout.write(`${JSON.stringify({ event: "secrets.minted", made })}\n`);

/** The value of a secret, which is made if there is none. */
function mint(folder: Folder, name: string, make: () => string): string {
  const path = pathOf(folder, name);
  if (!existsSync(path)) put(folder, name, make());
  return readFileSync(path, "utf8");
}

/** Renamed into place: a file that is there is whole. */
function put(folder: Folder, name: string, value: string): void {
  const path = pathOf(folder, name);
  if (existsSync(path) && readFileSync(path, "utf8") === value) return;
  writeFileSync(`${path}.new`, value, { mode: 0o400 });
  if (process.getuid?.() === 0) chownSync(`${path}.new`, readers[folder], readers[folder]);
  renameSync(`${path}.new`, path);
  made.push(`${folder}/${name}`);
}

function pathOf(folder: Folder, name: string): string {
  return join(dir ?? "", folder, name);
}

/** 256 bits, in letters that need no escaping in a URL. */
function randomText(): string {
  return randomBytes(32).toString("base64url");
}

/** A key ring with one key; its id is the day. */
function makeKeyRing(): string {
  return `${new Date().toISOString().slice(0, 10)} ${randomBytes(32).toString("base64")}`;
}

function makeIdentity(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return String(privateKey.export({ type: "pkcs8", format: "pem" }));
}

/** The public half as workers read it, in base 58. */
function publicKeyOf(privateKey: string): string {
  const digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  const raw = createPublicKey(privateKey).export({ type: "spki", format: "der" }).subarray(-32);
  let number = BigInt(`0x${raw.toString("hex")}`);
  let text = "";
  for (; number > 0n; number /= 58n) text = `${digits[Number(number % 58n)]}${text}`;
  const zeros = raw.findIndex((byte) => byte !== 0);
  return `publickeyv1_${"1".repeat(zeros)}${text}`;
}

/** The operator's list, checked for its form here and in full by the server. */
function readVendors(): string {
  const list: unknown = JSON.parse(readFileSync(0, "utf8"));
  if (!Array.isArray(list)) throw new Error("the vendors are a JSON list, as VENDORS");
  return JSON.stringify(list);
}

function ownVendors(): unknown[] {
  const path = pathOf("owner", "vendors.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as unknown[]) : [];
}

/** Accounts at the sandbox: for test keys, and where nothing else is there also for live keys. */
function sandboxVendors(): unknown[] {
  const url = options["sandbox-url"];
  if (url === undefined) return [];
  const accounts = (isTest: boolean) =>
    vendorKinds.map(({ kind, path, key }) => ({
      name: isTest ? `test-${kind}` : kind,
      kind,
      isTest,
      baseUrl: `${url}${path}`,
      apiKey: readFileSync(pathOf("sandbox", key), "utf8"),
    }));
  return [...(options["sandbox-for-live-keys"] ? accounts(false) : []), ...accounts(true)];
}
