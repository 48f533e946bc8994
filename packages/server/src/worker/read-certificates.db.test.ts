import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { makeCertificate } from "@zoetrope/testkit/make-certificate.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, test } from "vitest";
import { openTestBed } from "../../test/harness/test-context.ts";
import { createCertificates } from "./read-certificates.ts";

const shown = /^zoetrope_certificate_expiry_timestamp_seconds\{part="(\w+)"\} (\S+)$/gm;

test("the expiry of certificates is shown: of the one that signs outputs, and of an address, also if nobody trusts it or its server is gone", async () => {
  await using scratch = await makeScratch("certificates");
  const { key, cert } = await makeCertificate(scratch.path); // for two days
  const signing = new X509Certificate(await readFile(cert));
  const server = createServer({ key: await readFile(key), cert: await readFile(cert) });
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using bed = await openTestBed({
    PUBLIC_URL: url,
    RESTATE_INGRESS_URL: "https://[::1]:9",
    LABEL_CERTIFICATE_FILE: cert,
    LABEL_KEY_FILE: key,
  });
  const read = createCertificates(bed.ctx);
  const expiries = async () =>
    [...(await bed.ctx.renderMetrics()).matchAll(shown)].map(([, part, at]) => [part, Number(at)]);

  const label = ["label", signing.validToDate.getTime() / 1000];
  expect(await expiries()).toEqual([label]);
  await read();
  const seen = await expiries();
  expect(seen).toEqual([label, ["public", expect.any(Number)]]);
  const daysLeft = (Number(seen[1]?.[1]) - Date.now() / 1000) / 86_400;
  expect(daysLeft).toBeGreaterThan(1.9);
  expect(daysLeft).toBeLessThan(2.1);

  const closed = once(server, "close");
  server.close();
  await closed;
  await read();
  expect(await expiries()).toEqual(seen);
});
