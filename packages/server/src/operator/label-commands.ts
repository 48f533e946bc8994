import { loadSigner } from "../labels/load-signer.ts";
import { type Commands, type Options, type Report, readCount, readText } from "./command.ts";

const daysUnlessGiven = 365;

export const labelCommands: Commands = {
  "labels certificate": {
    takes: "--dir DIR --organisation NAME [--country CODE] [--days DAYS] [--issuer DIR]",
    does: "makes a root, an issuing CA and a certificate with which outputs are signed, in a new folder; needs no database, but the package @zoetrope/signer. --days: until it expires, 365 unless given. --issuer: only a new certificate, from the issuing CA in this folder",
    run: makeCertificate,
  },
};

async function makeCertificate(options: Options): Promise<Report> {
  const dir = readText(options, "dir");
  const organisation = readText(options, "organisation");
  const signer = await loadSigner();
  const optional = (name: string) => (options[name] === undefined ? null : readText(options, name));
  const made = await signer.makeCertificates({
    dir,
    organisation,
    country: optional("country"),
    days: options["days"] === undefined ? daysUnlessGiven : readCount(options, "days"),
    issuerDir: optional("issuer"),
  });
  const offline = made.offlineFiles.map((file) => `; keep ${file} offline`).join("");
  return {
    facts: {
      LABEL_CERTIFICATE_FILE: made.certificateFile,
      LABEL_KEY_FILE: made.keyFile,
      ...(made.rootFile === null ? {} : { root: made.rootFile }),
      valid_until: made.validTo.toISOString(),
    },
    next: `set LABEL_CERTIFICATE_FILE and LABEL_KEY_FILE${offline}. What this certificate is worth:\n\n${signer.explanation.replace(/\.$/, "")}`,
  };
}
