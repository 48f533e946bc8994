import { test } from "vitest";
import { send } from "../src/client.ts";
import { expectInvalid } from "../src/expect-refusal.ts";

test("what is no SHA-256 is refused, and so is an empty file", async () => {
  expectInvalid(await send("/api/v1/verify?sha256=abc"), "sha256");
  expectInvalid(await send("/api/v1/verify", { method: "POST" }), "body");
});
