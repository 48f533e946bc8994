import { expect, test } from "vitest";
import { verdictOf, worstOf } from "./scores.ts";

const limits = {
  nsfwRefusedAbove: 0.85,
  nsfwUnsureAbove: 0.5,
  faceAbove: 0.6,
};

test.each([
  [0.86, 0.9, 0.99, "refused", "The image shows sexual content.", "sexual"],
  [0.85, 0.9, 0.99, "unsure", "The image may show sexual content.", "sexual"],
  [0, 0.51, 0.99, "unsure", "The image may show sexual content.", "sexual"],
  [0, 0.5, 0.61, "unsure", "The image seems to show a real person.", "consent_missing"],
  [0.125, 0.5, 0.6, "passed", "Nothing found: explicit 0.13, sexual 0.50, face 0.60."],
])(
  "explicit %d, sexual %d, face %d is %s",
  (explicit, sexual, face, kind, reason, code = undefined) => {
    expect(verdictOf("image", { explicit, sexual, face }, limits)).toEqual({ kind, reason, code });
  },
);

test("a video is as bad as the worst of its frames", () => {
  const frames = [
    { explicit: 0.1, sexual: 0.7, face: 0.2 },
    { explicit: 0.3, sexual: 0.3, face: 0.1 },
  ];
  expect(worstOf(frames)).toEqual({ explicit: 0.3, sexual: 0.7, face: 0.2 });
});
