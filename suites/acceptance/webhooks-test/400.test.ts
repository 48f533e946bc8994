import { test } from "vitest";
import { main } from "../src/client.ts";
import { expectInvalid } from "../src/expect-refusal.ts";

test.for([
  undefined,
  7,
  "",
  "example.com",
  "ftp://example.com/",
  "http://10.0.0.1/",
  "http://169.254.169.254/latest/meta-data",
  "http://[fd00::1]/",
  "https://user:word@example.com/",
  "http://example.com:25/",
  `https://example.com/${"a".repeat(4_096)}`,
])("a test event goes only to a public http or https URL, not to %s", async (url) => {
  expectInvalid(await main.sendTestEvent({ url }), "url");
});
