import { execFile } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import {
  access,
  constants,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

export interface MadeCertificates {
  /** The leaf and the issuing CA: the setting LABEL_CERTIFICATE_FILE. */
  certificateFile: string;
  /** The setting LABEL_KEY_FILE. */
  keyFile: string;
  /** What readers need to trust the signatures; null if the issuing CA was there before. */
  rootFile: string | null;
  /** The keys that issue further certificates: to be kept offline. */
  offlineFiles: string[];
  /** The day after which the leaf is refused. */
  validTo: Date;
}

interface Options {
  dir: string;
  /** The organisation that readers show as the signer. */
  organisation: string;
  /** Two letters. */
  country: string | null;
  /** Days until the leaf expires. */
  days: number;
  /** A folder of an earlier run, whose issuing CA signs a new leaf. */
  issuerDir: string | null;
}

interface Certificate {
  name: "root" | "issuing" | "certificate";
  commonName: string;
  days: number;
  extensions: readonly string[];
}

const authority = ["keyUsage=critical,keyCertSign,cRLSign"];
const root: Certificate = {
  name: "root",
  commonName: "C2PA Root CA",
  days: 3_650,
  extensions: ["basicConstraints=critical,CA:true", ...authority],
};
const issuing: Certificate = {
  name: "issuing",
  commonName: "C2PA Issuing CA",
  days: 1_825,
  extensions: ["basicConstraints=critical,CA:true,pathlen:0", ...authority],
};
/** Readers of one version of c2pa-rs ask for the first purpose, those of another for the second. */
const leafExtensions = [
  "basicConstraints=critical,CA:false",
  "keyUsage=critical,digitalSignature",
  "extendedKeyUsage=1.3.6.1.4.1.62558.2.1,emailProtection",
];

const organisationCharactersMax = 64;
const opensslMsMax = 60_000;
const day = 24 * 60 * 60 * 1000;

/** Explains the result to an operator. */
export const explanation = `What is signed with this certificate is "valid, not trusted":
- Valid: every C2PA reader confirms that the file is what you signed, and finds one changed bit.
- Not trusted: readers do not know your root. They show the organisation as unverified, and anybody can make
  a certificate with that name. A reader that is given root.pem as a trust anchor trusts it.
The official trust list of C2PA takes no certificate made here. It needs:
- a signing product that has passed the C2PA conformance programme (https://c2pa.org/conformance), and
- a certificate from a certification authority on the C2PA trust list, issued to your organisation after it has
  verified who you are, with the key in the protection that the programme asks for (usually a KMS or HSM).
Signatures stay valid after the certificate has expired only if they have a time stamp: set LABEL_TSA_URL.`;

/**
 * Makes a root, an issuing CA and a certificate for signing, with their keys. Overwrites nothing: the folder
 * appears whole, or not at all.
 */
export async function makeCertificates(options: Options): Promise<MadeCertificates> {
  await checkOptions(options);
  const dir = resolve(options.dir);
  if ((await readdir(dir).catch(() => [])).length > 0)
    throw new Error(`${dir} is not empty. Name a new folder; nothing is overwritten.`);
  await mkdir(dirname(dir), { recursive: true });
  const scratch = await mkdtemp(join(dirname(dir), `.${basename(dir)}-`)); // mode 0700
  try {
    await makeAll(scratch, options);
    await rename(scratch, dir);
  } catch (error) {
    await rm(scratch, { recursive: true, force: true });
    throw error;
  }
  const at = (name: string) => join(dir, name);
  return {
    certificateFile: at("certificate.pem"),
    keyFile: at("certificate.key"),
    rootFile: options.issuerDir === null ? at("root.pem") : null,
    offlineFiles: options.issuerDir === null ? [at("root.key"), at("issuing.key")] : [],
    validTo: new Date(Date.now() + options.days * day),
  };
}

async function checkOptions({ organisation, country, days, issuerDir }: Options): Promise<void> {
  if (!/^[^\p{C}]+$/u.test(organisation) || organisation.length > organisationCharactersMax)
    throw new Error(`The organisation must have 1 to ${organisationCharactersMax} characters.`);
  if (country !== null && !/^[A-Z]{2}$/.test(country))
    throw new Error("The country must be a code of two letters, such as DE.");
  if (!Number.isSafeInteger(days) || days < 2 || days > issuing.days)
    throw new Error(`The days must be 2 to ${issuing.days}.`);
  if (issuerDir === null) return;
  for (const name of ["issuing.key", "issuing.pem"])
    await access(join(issuerDir, name), constants.R_OK).catch(() => {
      throw new Error(
        `${join(issuerDir, name)} cannot be read: it was made with the first certificate.`,
      );
    });
}

async function makeAll(dir: string, options: Options): Promise<void> {
  const issuerDir = options.issuerDir === null ? dir : resolve(options.issuerDir);
  if (issuerDir === dir) {
    await make(dir, root, options);
    await make(dir, issuing, options, join(dir, root.name));
  }
  const leaf: Certificate = {
    name: "certificate",
    commonName: "C2PA signing",
    days: options.days,
    extensions: leafExtensions,
  };
  await make(dir, leaf, options, join(issuerDir, issuing.name));
  const path = join(dir, "certificate.pem");
  const chain = [path, join(issuerDir, "issuing.pem")].map((file) => readFile(file, "utf8"));
  await writeFile(path, (await Promise.all(chain)).join(""));
}

/** Writes NAME.key and NAME.pem, signed by the issuer of this path or by itself. */
async function make(
  dir: string,
  { name, commonName, days, extensions }: Certificate,
  { organisation, country }: Options,
  issuer?: string,
): Promise<void> {
  const path = join(dir, name);
  const { privateKey } = generateKeyPairSync("ec", {
    namedCurve: "prime256v1",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  await writeFile(`${path}.key`, privateKey, { mode: 0o600, flag: "wx" });
  const ids = ["subjectKeyIdentifier=hash"];
  if (issuer !== undefined) ids.push("authorityKeyIdentifier=keyid:always");
  await runOpenssl([
    "req",
    "-x509",
    "-new",
    "-utf8",
    "-sha256",
    ...["-key", `${path}.key`, "-out", `${path}.pem`],
    ...["-config", "/dev/null", "-set_serial", `0x${randomBytes(16).toString("hex")}`],
    ...["-subj", subjectOf({ C: country, O: organisation, CN: commonName })],
    ...["-days", String(days)],
    ...(issuer === undefined ? [] : ["-CA", `${issuer}.pem`, "-CAkey", `${issuer}.key`]),
    ...[...extensions, ...ids].flatMap((extension) => ["-addext", extension]),
  ]);
}

function subjectOf(parts: Record<string, string | null>): string {
  return Object.entries(parts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `/${name}=${value?.replaceAll(/[\\/+=]/g, "\\$&")}`)
    .join("");
}

async function runOpenssl(args: string[]): Promise<void> {
  try {
    await promisify(execFile)("openssl", args, { timeout: opensslMsMax });
  } catch (error) {
    const { code, stderr = "" } = error as { code?: unknown; stderr?: string };
    if (code === "ENOENT")
      throw new Error("openssl is not installed: apt-get install openssl", { cause: error });
    throw new Error(`openssl could not make a certificate: ${stderr.trim()}`, { cause: error });
  }
}
