import { expect, test } from "vitest";
import { faultOfUrl, isAllowedAddress } from "./public-address.ts";

const strict = { allowLoopback: false };
const web = ["https:", "http:"];

test.each([
  ["127.0.0.1", false],
  ["10.0.0.1", false],
  ["172.16.0.1", false],
  ["192.168.1.1", false],
  ["169.254.169.254", false],
  ["100.64.0.1", false],
  ["192.88.99.1", false],
  ["168.63.129.16", false],
  ["0.0.0.0", false],
  ["224.0.0.1", false],
  ["255.255.255.255", false],
  ["::1", false],
  ["::", false],
  ["::ffff:8.8.8.8", false],
  ["64:ff9b::808:808", false],
  ["fd00::1", false],
  ["fe80::1", false],
  ["2002:808:808::1", false],
  ["2001::1", false],
  ["2001:db8::1", false],
  ["ff02::1", false],
  ["8.8.8.8", true],
  ["172.32.0.1", true],
  ["2606:4700:4700::1111", true],
])("%s is a public address: %s", (address, isPublic) => {
  expect(isAllowedAddress(address, strict)).toBe(isPublic);
});

test.each([
  "http://127.0.0.1/",
  "http://2130706433/",
  "http://0x7f.1/",
  "http://[::1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://localhost/",
  "http://LOCALHOST./",
  "http://a.localhost/",
  "http://metadata.google.internal/",
  "http://router/",
  "http://user:secret@example.com/",
  "ftp://example.com/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "http://./",
  "http://example.com:0/",
  "http://example.com:22/",
  "https://example.com:25/",
  "https://example.com:1023/",
  "example.com",
  "",
])("%s is refused by its text alone", (url) => {
  expect(faultOfUrl(url, web, strict)).not.toBeNull();
});

test.each([
  "https://example.com/hook",
  "http://example.com:8080/a?b=c",
  "https://example.com:80/",
  "http://example.com:443/",
  "http://example.com:1024/",
  "https://8.8.8.8/",
])("%s is let through to be resolved", (url) => {
  expect(faultOfUrl(url, web, strict)).toBeNull();
});

test("in development any port of this machine is taken, and of no other", () => {
  const lenient = { allowLoopback: true };
  for (const host of ["127.0.0.1", "[::1]", "localhost", "localhost."])
    expect(faultOfUrl(`http://${host}:9/`, web, lenient)).toBeNull();
  for (const host of ["8.8.8.8", "example.com", "a.localhost", "10.0.0.1"])
    expect(faultOfUrl(`http://${host}:9/`, web, lenient)).not.toBeNull();
  expect(faultOfUrl("http://localhost/", web, strict)).not.toBeNull();
});
