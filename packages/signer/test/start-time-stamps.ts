import { execFile } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A time-stamp authority (RFC 3161) of `openssl ts`, with a certificate of this issuing CA. */
export async function startTimeStamps(
  issuerDir: string,
  dir: string,
): Promise<(query: Buffer) => Promise<Buffer>> {
  const own = await mkdtemp(join(dir, "tsa-"));
  const at = (name: string) => join(own, name);
  const issuing = join(issuerDir, "issuing");
  await run("openssl", [
    ...["req", "-x509", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"],
    ...["-keyout", at("tsa.key"), "-out", at("tsa.pem"), "-days", "90", "-config", "/dev/null"],
    ...["-subj", "/O=Example Time/CN=Time stamps", "-CA", `${issuing}.pem`],
    ...["-CAkey", `${issuing}.key`, "-addext", "basicConstraints=critical,CA:false"],
    ...["-addext", "keyUsage=critical,digitalSignature"],
    ...["-addext", "extendedKeyUsage=critical,timeStamping"],
    ...["-addext", "subjectKeyIdentifier=hash", "-addext", "authorityKeyIdentifier=keyid:always"],
  ]);
  await writeFile(at("serial"), "01\n");
  await writeFile(
    at("config"),
    `[tsa]
default_tsa = own
[own]
dir = ${own}
serial = ${at("serial")}
signer_cert = ${at("tsa.pem")}
signer_key = ${at("tsa.key")}
certs = ${issuing}.pem
signer_digest = sha256
default_policy = 1.3.6.1.4.1.99999.1
digests = sha256, sha384, sha512
accuracy = secs:1
ordering = no
tsa_name = no
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`,
  );
  return async (query) => {
    await writeFile(at("query"), query);
    const files = ["-queryfile", at("query"), "-out", at("reply")];
    await run("openssl", ["ts", "-reply", "-config", at("config"), "-section", "own", ...files]);
    return await readFile(at("reply"));
  };
}
