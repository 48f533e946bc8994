import { parseArgs } from "node:util";
import { explanation, makeCertificates } from "./make-certificates.ts";

const usage = `Usage: node packages/signer/src/main.ts certificate --dir DIR --organisation NAME
  [--country CODE] [--days DAYS] [--issuer DIR]
Makes a root, an issuing CA and a certificate for signing. --issuer: only a new certificate, from the issuing CA
of an earlier run. DAYS: until the certificate expires, 365 unless given.
`;

try {
  process.stdout.write(await run(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

async function run(args: string[]): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      dir: { type: "string" },
      organisation: { type: "string" },
      country: { type: "string" },
      days: { type: "string", default: "365" },
      issuer: { type: "string" },
    },
  });
  const { dir, organisation, country = null, days, issuer: issuerDir = null } = values;
  if (positionals.join() !== "certificate" || dir === undefined || organisation === undefined)
    throw new Error(usage);
  const made = await makeCertificates({
    dir,
    organisation,
    country,
    days: Number(days),
    issuerDir,
  });
  return `${explanation}

Valid until ${made.validTo.toISOString()}.
Set LABEL_CERTIFICATE_FILE=${made.certificateFile}
Set LABEL_KEY_FILE=${made.keyFile}
${made.offlineFiles.map((file) => `Keep offline: ${file}\n`).join("")}`;
}
