import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { createSemaphore } from "../../src/flow/semaphore.ts";
import { loadSigner } from "../../src/labels/load-signer.ts";
import { createLog } from "../../src/log.ts";
import { readConfig } from "../../src/settings/config.ts";

const run = promisify(execFile);

export interface SigningBed extends AsyncDisposable {
  dir: string;
  /** The settings with which files are signed. */
  settings: { LABEL_CERTIFICATE_FILE: string; LABEL_KEY_FILE: string };
  /** The folder of the root and the issuing CA. */
  issuerDir: string;
  /** The context of what signs and reads files, without a database. */
  openContext(settings?: Record<string, string>): ReturnType<typeof openContext>;
  /** Makes a certificate of the issuing CA with these arguments of `openssl req`, and the settings for it. */
  makeOther(name: string, ...args: string[]): Promise<SigningBed["settings"]>;
}

/** Certificates as the command makes them, which needs the optional package. */
export async function openSigningBed(): Promise<SigningBed> {
  const scratch = await makeScratch("signing");
  const issuerDir = join(scratch.path, "certificates");
  const { makeCertificates } = await loadSigner();
  const made = await makeCertificates({
    dir: issuerDir,
    organisation: "Example Studio",
    country: null,
    days: 90,
    issuerDir: null,
  });
  const settings = {
    LABEL_CERTIFICATE_FILE: made.certificateFile,
    LABEL_KEY_FILE: made.keyFile,
  };
  return {
    dir: scratch.path,
    settings,
    issuerDir,
    openContext: (own = settings) => openContext(scratch.path, own),
    makeOther: (name, ...args) => makeOther(scratch.path, issuerDir, name, args),
    [Symbol.asyncDispose]: () => scratch.remove(),
  };
}

function openContext(dir: string, settings: Record<string, string>) {
  const lines: Record<string, unknown>[] = [];
  const config = readConfig({
    DATABASE_URL: "postgres://nobody@127.0.0.1:9/none",
    PUBLIC_URL: "http://127.0.0.1:9",
    RESTATE_INGRESS_URL: "http://127.0.0.1:9",
    STORAGE_DIR: join(dir, "storage"),
    VENDOR_CALLBACK_SECRET: "0123456789abcdef0123456789abcdef",
    ...settings,
  });
  return {
    config,
    log: createLog("info", "test", { write: (line) => void lines.push(JSON.parse(line)) }),
    lines,
    programs: createSemaphore({ permitsMax: 2 }),
    workDir: join(dir, "work"),
  };
}

async function makeOther(dir: string, issuerDir: string, name: string, args: string[]) {
  const [key, certificate] = [join(dir, `${name}.key`), join(dir, `${name}.pem`)];
  const issuing = join(issuerDir, "issuing");
  await run("openssl", [
    ...["req", "-x509", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"],
    ...["-keyout", key, "-out", certificate, "-config", "/dev/null"],
    ...["-subj", `/O=Example Studio/CN=${name}`, "-CA", `${issuing}.pem`],
    ...["-CAkey", `${issuing}.key`, "-addext", "basicConstraints=critical,CA:false"],
    ...["-addext", "keyUsage=critical,digitalSignature", "-addext", "subjectKeyIdentifier=hash"],
    ...["-addext", "authorityKeyIdentifier=keyid:always", ...args],
  ]);
  const chain = [certificate, `${issuing}.pem`].map((path) => readFile(path, "utf8"));
  await writeFile(certificate, (await Promise.all(chain)).join(""));
  return { LABEL_CERTIFICATE_FILE: certificate, LABEL_KEY_FILE: key };
}
