import { expect, test } from "vitest";
import { ownUrlOf } from "./return-to.ts";

const publicUrl = "https://studio.example/base";

test("a path of this deployment is kept, with query and fragment", () => {
  for (const path of ["/", "/console", "/console/tasks?status=FAILED&x=https://evil.example#top"])
    expect(ownUrlOf(publicUrl, path)).toBe(`https://studio.example${path}`);
});

test("no text leads to another host", () => {
  const foreign = [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "///evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    " //evil.example",
    "javascript:alert(1)",
    "console",
    "",
    "http:evil.example",
    "/a\\b",
    "/\u2028/evil.example",
    "@evil.example",
    "https:/evil.example",
  ];
  for (const text of foreign) expect(ownUrlOf(publicUrl, text), text).toBeNull();
});

test("a path that begins with two slashes once it is normalised stays on our host", () => {
  for (const path of ["/.//evil.example", "/a/..//evil.example", "/%2e%2e//evil.example"])
    expect(new URL(ownUrlOf(publicUrl, path) ?? "").host).toBe("studio.example");
});
