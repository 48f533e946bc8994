import { describe, expect, test } from "vitest";
import { expectRefusal } from "../../test/refusal.ts";
import { happyhorse } from "./happyhorse.ts";
import { planRequest } from "./plan-request.ts";

const plan = (inputs: object) => planRequest(happyhorse, inputs);
const images = (count: number) =>
  Array.from({ length: count }, (_, at) => `https://example.com/${at}.png`);
const references = (count: number, inputs: object = {}) =>
  plan({ prompt: "a fox", videoWorkflowTab: "multi-reference", urls: images(count), ...inputs });

describe("how much of a prompt is read", () => {
  const cjk = {
    han: "狐",
    "rare han": "𠀀",
    hiragana: "き",
    katakana: "キ",
    hangul: "여",
    "long vowel": "ー",
    "middle dot": "・",
    "company sign": "㈱",
    secret: "㊙",
    comma: "、",
    fullwidth: "Ａ",
    jamo: "ᄀ",
    bopomofo: "ㄅ",
    compatibility: "豈",
  };
  const inEveryMode = [
    ["text-to-video", (prompt: string) => plan({ prompt })],
    ["image-to-video", (prompt: string) => plan({ prompt, urls: images(1) })],
    ["reference-to-video", (prompt: string) => references(1, { prompt })],
  ] as const;

  describe.each(inEveryMode)("%s", (_, planPrompt) => {
    const isWhole = (prompt: string) => {
      const planned = planPrompt(prompt);
      expect(planned).toMatchObject({ prompt });
      expect(planned).not.toHaveProperty("promptCut");
    };
    const isCut = (prompt: string, read: string) =>
      expect(planPrompt(prompt)).toMatchObject({ prompt: read, promptCut: { unitsMax: 5_000 } });

    test("5000 Latin characters are read, of 5001 the last is cut off", () => {
      for (const character of ["a", "é", "Ж"]) {
        isWhole(character.repeat(5_000));
        isCut(character.repeat(5_001), character.repeat(5_000));
      }
    });

    test.each(Object.entries(cjk))(
      "2500 characters of %s are read, of 2501 the last is cut off",
      (_name, character) => {
        isWhole(character.repeat(2_500));
        isCut(character.repeat(2_501), character.repeat(2_500));
      },
    );

    test("an emoji is one character, though it is two code units, and is never cut in two", () => {
      isWhole("🦊".repeat(5_000));
      isCut("🦊".repeat(5_001), "🦊".repeat(5_000));
      isCut(`${"狐".repeat(2_499)}a🦊🦊`, `${"狐".repeat(2_499)}a🦊`);
    });

    test("what is written with several code points is kept whole or cut off whole", () => {
      const family = "👨‍👩‍👧"; // five code points
      isWhole("a".repeat(4_995) + family);
      isCut("a".repeat(4_996) + family, "a".repeat(4_996));
      isCut(`${"a".repeat(4_999)}e\u0301`, "a".repeat(4_999));
      isCut(`${"a".repeat(4_999)}🇯🇵`, "a".repeat(4_999));
      // a character without end is cut like text
      isCut(`a${"\u0301".repeat(6_000)}`, `a${"\u0301".repeat(4_999)}`);
    });

    test("a prompt whose readable part is white space is no prompt", () => {
      const hidden = `${" ".repeat(5_000)}a fox`;
      expectRefusal(() => planPrompt(hidden), "inputs.prompt", "white space");
    });

    test("in mixed text each CJK character counts twice", () => {
      for (const mixed of ["狐".repeat(2_000) + "a".repeat(1_000), "a狐🦊".repeat(1_250)]) {
        isWhole(mixed);
        isCut(`${mixed}a`, mixed);
      }
      isWhole(`${"狐".repeat(2_499)}aa`);
      isCut(`${"狐".repeat(2_499)}aaa`, `${"狐".repeat(2_499)}aa`);
      isCut(`${"狐".repeat(2_499)}a狐`, `${"狐".repeat(2_499)}a`);
    });

    test("of far too much the beginning is read", () => {
      isCut("a".repeat(100_000), "a".repeat(5_000));
      isCut("狐".repeat(100_000), "狐".repeat(2_500));
    });
  });
});
