import { expect, test } from "vitest";
import { faultOfUrl } from "./public-address.ts";
import { textOfUrlFault } from "./url-fault-texts.ts";

test.each([
  "nonsense",
  "ftp://example.com/",
  "https://ada:secret@example.com/",
  "https://example.com:22/",
  "https://10.0.0.1/",
  "https://a.internal/",
  "https://example/",
])("what is wrong with %s is said in Chinese too", (url) => {
  const fault = faultOfUrl(url, ["https:", "http:"], { allowLoopback: false });
  expect(textOfUrlFault(fault ?? "").zh).toMatch(/[\u4e00-\u9fff]/);
});
