import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Config } from "../settings/config.ts";

export interface SigningCertificate {
  /** The certificates in PEM, from the leaf to the one below the root. */
  chain: string;
  leaf: X509Certificate;
  /** The algorithm, as C2PA names it. */
  algorithm: "es256" | "es384";
  /** When the first of them expires. Afterwards nothing can be signed. */
  validTo: Date;
  /** The organisation that readers show as the signer. */
  organisation: string | null;
}

const claimSigning = "1.3.6.1.4.1.62558.2.1";
const emailProtection = "1.3.6.1.5.5.7.3.4";
const algorithms: Record<string, SigningCertificate["algorithm"]> = {
  prime256v1: "es256",
  secp384r1: "es384",
};
const validMsMin = 24 * 60 * 60 * 1000;
const pemBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Returns the certificate of the settings; null if there is none. */
export function signingCertificate({ labels }: Config): SigningCertificate | null {
  if (labels.certificate === null) return null;
  const [leaf, ...issuers] = parseChain(labels.certificate);
  if (leaf === undefined) return refuse("has no certificate in PEM in it");
  const algorithm = algorithms[leaf.publicKey.asymmetricKeyDetails?.namedCurve ?? ""];
  if (algorithm === undefined) return refuse("must have a key on the curve P-256 or P-384");
  return {
    chain: [leaf, ...issuers].map((one) => one.toString()).join(""),
    leaf,
    algorithm,
    validTo: new Date(Math.min(...[leaf, ...issuers].map((one) => one.validToDate.getTime()))),
    organisation: organisationOf(leaf),
  };
}

function organisationOf(leaf: X509Certificate): string | null {
  const { O: organisation } = leaf.toLegacyObject().subject;
  return typeof organisation === "string" ? organisation : null;
}

function parseChain(pem: string): X509Certificate[] {
  try {
    return (pem.match(pemBlock) ?? []).map((block) => new X509Certificate(block));
  } catch {
    return refuse("has a certificate in it that cannot be read"); // without the text: it may be the key
  }
}

/**
 * Throws if readers would refuse what is signed with this certificate, today or tomorrow. Returns a warning
 * where only some would.
 */
export function checkCertificate({ labels }: Config, now = new Date()): string | null {
  const chain = parseChain(labels.certificate ?? "");
  const [leaf, issuer] = chain;
  if (leaf === undefined) return refuse("has no certificate in PEM in it");
  if (issuer === undefined)
    return refuse(
      "must have the certificate of the issuing CA behind its own: readers refuse a certificate without one",
    );
  chain.forEach((one, index) => {
    const next = chain[index + 1];
    if (next !== undefined && !(one.checkIssued(next) && one.verify(next.publicKey)))
      refuse("must have the certificates in order: its own, then that of each issuer");
  });
  if (leaf.ca) return refuse("must begin with the certificate for signing, not with a CA");
  checkTimes(chain, now);
  checkKey(leaf, labels.key);
  return checkPurposes(leaf.keyUsage ?? []);
}

function checkTimes(chain: readonly X509Certificate[], now: Date): void {
  for (const { validFromDate, validToDate } of chain) {
    if (validFromDate > now) refuse(`is valid only from ${validFromDate.toISOString()}`);
    if (validToDate.getTime() < now.getTime() + validMsMin)
      refuse(
        `expires on ${validToDate.toISOString()}; make a new one, such as with 'labels certificate --issuer DIR'`,
      );
  }
}

function checkKey(leaf: X509Certificate, key: string | null): void {
  if (key === null) return;
  let isIts: boolean;
  try {
    isIts = leaf.checkPrivateKey(createPrivateKey(key));
  } catch {
    throw new Error("LABEL_KEY must be a private key in PEM without a password");
  }
  if (!isIts)
    throw new Error("LABEL_KEY is not the key of the first certificate in LABEL_CERTIFICATE");
}

/** Versions of c2pa-rs differ in which purpose they ask for. */
function checkPurposes(purposes: readonly string[]): string | null {
  if (purposes.includes(emailProtection)) return null;
  if (purposes.includes(claimSigning))
    return `LABEL_CERTIFICATE lacks the purpose emailProtection (${emailProtection}): readers that do not know its issuer may call the signatures invalid`;
  return refuse(
    `has the wrong purpose: its extendedKeyUsage must name ${claimSigning} (C2PA claim signing) and emailProtection, as certificates of 'labels certificate' do`,
  );
}

function refuse(reason: string): never {
  throw new Error(`LABEL_CERTIFICATE ${reason}`);
}
