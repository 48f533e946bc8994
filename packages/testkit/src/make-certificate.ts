import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Makes a key and a certificate, as files, for a server at 127.0.0.1. */
export async function makeCertificate(
  dir: string,
  days = 2,
): Promise<{ key: string; cert: string }> {
  const [key, cert] = [join(dir, "server.key"), join(dir, "server.crt")];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const name = ["-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1"];
  await run("openssl", [
    "req",
    ...kind,
    ...name,
    "-days",
    String(days),
    "-keyout",
    key,
    "-out",
    cert,
  ]);
  return { key, cert };
}
