import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { signPost } from "./sign.ts";

const key = {
  accessKeyId: "AKEXAMPLE",
  secretAccessKey: "example-secret",
  region: "cn-beijing",
};
const body = '{"Id":"asset-1","ProjectName":"default"}';
const at = new Date("2026-01-02T03:04:05.678Z");
const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const mac = (secret: string | Buffer, text: string) =>
  createHmac("sha256", secret).update(text).digest();

/** The steps of the algorithm one by one, written down for this call. */
function expectedSignature(path: string, query: string, host: string): string {
  const canonical = `POST
${path}
${query}
content-type:application/json
host:${host}
x-content-sha256:${sha(body)}
x-date:20260102T030405Z

content-type;host;x-content-sha256;x-date
${sha(body)}`;
  const text = `HMAC-SHA256\n20260102T030405Z\n20260102/cn-beijing/ark/request\n${sha(canonical)}`;
  const day = mac("example-secret", "20260102");
  return mac(mac(mac(mac(day, "cn-beijing"), "ark"), "request"), text).toString("hex");
}

test("a call is signed as the vendor's algorithm says", () => {
  const host = "ark.cn-beijing.volcengineapi.com";
  const query = "Action=GetAsset&Version=2024-01-01";
  const signature = expectedSignature("/", query, host);
  // the same vector, computed with Python's hmac and hashlib
  expect(signature).toBe("61daea2887d15ddffbea2589cb541b0b4bc1c46ecf20e7f823328f47a72e9545");
  expect(signPost(key, { url: `https://${host}/?${query}`, body, at })).toEqual({
    "x-date": "20260102T030405Z",
    "x-content-sha256": "f350a83877d1ff873274e702ef71d8adc3953c20c2b932d346bc50156831cc99",
    authorization: `HMAC-SHA256 Credential=AKEXAMPLE/20260102/cn-beijing/ark/request, SignedHeaders=content-type;host;x-content-sha256;x-date, Signature=${signature}`,
  });
});

test("the query is sorted and encoded, and the port belongs to the host", () => {
  const url = "http://127.0.0.1:8080/ark-assets/?Version=2024-01-01&Action=it's%20(so)";
  const query = "Action=it%27s%20%28so%29&Version=2024-01-01";
  const { authorization } = signPost(key, { url, body, at });
  expect(authorization).toContain(expectedSignature("/ark-assets/", query, "127.0.0.1:8080"));
});
