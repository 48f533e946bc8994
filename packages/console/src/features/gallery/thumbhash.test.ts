import { expect, test } from "vitest";
import { decodeThumbhash } from "./thumbhash.ts";

test("a ThumbHash has the shape and the colours of its image", () => {
  const blur = decodeThumbhash("1QcSHQRnh493V4dIh4eXh1h4kJUI");
  expect({ width: blur?.width, height: blur?.height }).toEqual({ width: 23, height: 32 });
  const [red = 0, green = 0, blue = 0, alpha = 0] = blur?.rgba ?? [];
  expect(alpha).toBe(255);
  expect(red + green + blue).toBeGreaterThan(0);
});

test.each([null, "", "AAAA", "not base64!", "A".repeat(10_000)])(
  "what is no ThumbHash is nothing: %j",
  (text) => expect(decodeThumbhash(text)).toBeNull(),
);
