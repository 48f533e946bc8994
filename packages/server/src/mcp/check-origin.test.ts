import { expect, test } from "vitest";
import { checkOrigin } from "./check-origin.ts";

const direct = { publicUrl: "https://media.example.com", hasProxy: false };

test.each([
  { host: "media.example.com" },
  { host: "media.example.com:8443" },
  { host: "media.example.com", origin: "https://media.example.com" },
  { host: "10.0.0.7:8080" },
  { host: "[2001:db8::1]:8080" },
  { host: "localhost:8080" },
  { host: "localhost:8080", origin: "http://localhost:8080" },
  { host: "127.0.0.1:8080", origin: "http://127.0.0.1:3000" },
])("%j is admitted", (headers) => {
  expect(() => checkOrigin(headers, direct)).not.toThrow();
});

test.each([
  { host: "evil.example.com", origin: "http://evil.example.com" },
  { host: "evil.example.com" },
  { host: "media.example.com", origin: "https://evil.example.com" },
  { host: "media.example.com", origin: "http://media.example.com" },
  { host: "media.example.com", origin: "null" },
  { host: "media.example.com", origin: "http://localhost:3000" },
  { host: "127.0.0.1:8080", origin: "http://evil.example.com" },
  { host: "127.0.0.1.evil.example.com" },
  { host: "" },
  {},
])("%j is refused", (headers) => {
  expect(() => checkOrigin(headers, direct)).toThrow("another site");
});

test("behind a proxy, which may set its own, the Host is not checked", () => {
  const behind = { ...direct, hasProxy: true };
  expect(() => checkOrigin({ host: "api" }, behind)).not.toThrow();
  const foreign = { host: "api", origin: "https://evil.example.com" };
  expect(() => checkOrigin(foreign, behind)).toThrow("another site");
});
