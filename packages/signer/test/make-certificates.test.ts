import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCertificates } from "../src/make-certificates.ts";

const own = { organisation: 'Bücher / "A+B=C"', country: "DE", days: 90, issuerDir: null };

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "zoetrope-certificates-"));
});
afterAll(() => rm(dir, { recursive: true }));

async function chainIn(path: string): Promise<X509Certificate[]> {
  const blocks = (await readFile(path, "utf8")).match(
    /-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g,
  );
  return (blocks ?? []).map((block) => new X509Certificate(block));
}

test("the certificate has both purposes, its issuer behind it, and a key that only its owner can read", async () => {
  const made = await makeCertificates({ ...own, dir: join(dir, "first") });
  const [leaf, issuing, ...more] = await chainIn(made.certificateFile);
  const [root] = await chainIn(made.rootFile ?? "");
  if (leaf === undefined || issuing === undefined || root === undefined) throw new Error("missing");
  expect(more).toEqual([]);
  expect(leaf.keyUsage).toEqual(["1.3.6.1.4.1.62558.2.1", "1.3.6.1.5.5.7.3.4"]);
  expect([leaf.ca, issuing.ca, root.ca]).toEqual([false, true, true]);
  expect(leaf.toLegacyObject().subject).toMatchObject({ C: "DE", O: own.organisation });
  expect(leaf.checkIssued(issuing) && leaf.verify(issuing.publicKey)).toBe(true);
  expect(issuing.checkIssued(root) && issuing.verify(root.publicKey)).toBe(true);
  expect(leaf.checkPrivateKey(createPrivateKey(await readFile(made.keyFile)))).toBe(true);
  const keys = [made.keyFile, ...made.offlineFiles];
  expect(keys).toHaveLength(3);
  for (const key of keys) expect((await stat(key)).mode & 0o777).toBe(0o600);
});

test("a new certificate comes from the issuing CA that is there", async () => {
  const dirs = { dir: join(dir, "second"), issuerDir: join(dir, "first") };
  const made = await makeCertificates({ ...own, ...dirs, organisation: "Another" });
  const [leaf, issuing] = await chainIn(made.certificateFile);
  const [first] = await chainIn(join(dir, "first", "issuing.pem"));
  expect(issuing?.raw).toEqual(first?.raw);
  expect(leaf?.subject).toContain("O=Another");
  expect((await readdir(join(dir, "second"))).sort()).toEqual([
    "certificate.key",
    "certificate.pem",
  ]);
});

test("nothing is overwritten, and a failure leaves nothing behind", async () => {
  await writeFile(join(dir, "kept"), "kept");
  await expect(makeCertificates({ ...own, dir })).rejects.toThrow("is not empty");
  await expect(
    makeCertificates({ ...own, dir: join(dir, "third"), issuerDir: join(dir, "nowhere") }),
  ).rejects.toThrow("issuing.key cannot be read");
  await writeFile(join(dir, "issuing.key"), "no key");
  await writeFile(join(dir, "issuing.pem"), "no certificate");
  const before = await readdir(dir);
  await expect(
    makeCertificates({ ...own, dir: join(dir, "third"), issuerDir: dir }),
  ).rejects.toThrow("openssl could not make a certificate");
  expect(await readdir(dir)).toEqual(before);
  expect(await readFile(join(dir, "kept"), "utf8")).toBe("kept");
});

test.each([
  [{ organisation: "" }, "The organisation must have"],
  [{ organisation: "a\nb" }, "The organisation must have"],
  [{ country: "Germany" }, "The country must be a code"],
  [{ days: Number("x") }, "The days must be"],
])("%j is refused with a reason", async (change, reason) => {
  const refused = makeCertificates({ ...own, dir: join(dir, "never"), ...change });
  await expect(refused).rejects.toThrow(reason);
});
