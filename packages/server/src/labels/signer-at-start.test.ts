import { readFile } from "node:fs/promises";
import { serve } from "@zoetrope/testkit/serve.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSigningBed, type SigningBed } from "../../test/harness/signing-bed.ts";
import { requireSigner, trySigner } from "./require-signer.ts";
import { checkCertificate } from "./signing-certificate.ts";

const purposes = ["-addext", "extendedKeyUsage=1.3.6.1.4.1.62558.2.1,emailProtection"];

let bed: SigningBed;
beforeAll(async () => {
  bed = await openSigningBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

async function start(settings: Record<string, string>): Promise<Record<string, unknown>[]> {
  const ctx = bed.openContext(settings);
  await requireSigner(ctx.config);
  await trySigner(ctx);
  return ctx.lines;
}

test("a certificate of the command signs at the start, and without one nothing is asked for", async () => {
  expect(await start(bed.settings)).toEqual([]);
  expect(await start({})).toEqual([]);
});

test("a certificate with another purpose is refused with what to do", async () => {
  const args = ["-days", "9", "-addext", "extendedKeyUsage=codeSigning"];
  await expect(start(await bed.makeOther("refused", ...args))).rejects.toThrow(
    "LABEL_CERTIFICATE has the wrong purpose: its extendedKeyUsage must name 1.3.6.1.4.1.62558.2.1 (C2PA claim signing) and emailProtection",
  );
});

test("a certificate is refused in its last day, and before its first", () => {
  const { config } = bed.openContext();
  const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000);
  expect(checkCertificate(config, inDays(88))).toBeNull();
  expect(() => checkCertificate(config, inDays(89.5))).toThrow("LABEL_CERTIFICATE expires on ");
  expect(() => checkCertificate(config, inDays(-1))).toThrow(
    "LABEL_CERTIFICATE is valid only from ",
  );
});

test("a certificate without emailProtection signs, and a warning says which readers may refuse it", async () => {
  const args = ["-days", "9", "-addext", "extendedKeyUsage=1.3.6.1.4.1.62558.2.1"];
  const lines = await start(await bed.makeOther("one-purpose", ...args));
  expect(lines).toMatchObject([{ level: 40, event: "label.certificate.warning" }]);
  expect(lines[0]?.["reason"]).toContain("lacks the purpose emailProtection");
});

test("a chain without its issuer, in the wrong order, or of a CA is refused", async () => {
  const { LABEL_KEY_FILE, LABEL_CERTIFICATE_FILE } = bed.settings;
  const [leaf = "", issuing = ""] =
    (await readFile(LABEL_CERTIFICATE_FILE, "utf8")).match(
      /-----BEGIN[^-]+-----[^-]+-----END[^-]+-----\n/g,
    ) ?? [];
  const root = await readFile(`${bed.issuerDir}/root.pem`, "utf8");
  const refused = (chain: string) => start({ LABEL_KEY_FILE, LABEL_CERTIFICATE: chain });
  await expect(refused(leaf)).rejects.toThrow("must have the certificate of the issuing CA");
  await expect(refused(leaf + root)).rejects.toThrow("must have the certificates in order");
  await expect(refused(issuing + root)).rejects.toThrow("not with a CA");
  await expect(refused("none")).rejects.toThrow("has no certificate in PEM in it");
});

test("a key that is not the certificate's is refused, and appears in no message", async () => {
  const { LABEL_CERTIFICATE_FILE, LABEL_KEY_FILE } = bed.settings;
  const others = await bed.makeOther("another-key", "-days", "9", ...purposes);
  const another = start({ LABEL_CERTIFICATE_FILE, LABEL_KEY_FILE: others.LABEL_KEY_FILE });
  await expect(another).rejects.toThrow(
    new Error("LABEL_KEY is not the key of the first certificate in LABEL_CERTIFICATE"),
  );
  const key = await readFile(LABEL_KEY_FILE, "utf8");
  const damaged = start({ LABEL_CERTIFICATE_FILE, LABEL_KEY: key.replaceAll("-----END", "") });
  await expect(damaged).rejects.toThrow(
    new Error("LABEL_KEY must be a private key in PEM without a password"),
  );
  const swapped = start({ LABEL_CERTIFICATE: key, LABEL_KEY_FILE });
  await expect(swapped).rejects.toThrow(
    new Error("LABEL_CERTIFICATE has no certificate in PEM in it"),
  );
});

test("a KMS that is down does not keep a worker from starting; one that refuses the token does", async () => {
  const { LABEL_CERTIFICATE_FILE } = bed.settings;
  const settings = { LABEL_CERTIFICATE_FILE, LABEL_KMS_TOKEN: "a-token" };
  const gone = await serve(() => {});
  await gone[Symbol.asyncDispose]();
  const lines = await start({ ...settings, LABEL_KMS_URL: gone.url });
  expect(lines).toMatchObject([
    {
      level: 50,
      event: "label.service.unavailable",
      reason: "LABEL_KMS_URL does not respond: ECONNREFUSED",
    },
  ]);
  await using kms = await serve((_request, response) => response.writeHead(403).end());
  await expect(start({ ...settings, LABEL_KMS_URL: kms.url })).rejects.toThrow(
    "outputs cannot be signed: LABEL_KMS_URL responded with status 403",
  );
});
