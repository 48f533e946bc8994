import { expect, test } from "vitest";
import { commandOf } from "./keys.ts";

const press = (key: string, code: string, more: Partial<KeyboardEvent> = {}) =>
  commandOf({
    key,
    code,
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    repeat: false,
    isComposing: false,
    ...more,
  });

test("digits name reasons from 1 to 10, by their place on any keyboard", () => {
  expect(press("1", "Digit1")).toEqual({ kind: "refuse", at: 0, withText: false });
  expect(press("0", "Numpad0")).toEqual({ kind: "refuse", at: 9, withText: false });
  expect(press("&", "Digit1")).toEqual({ kind: "refuse", at: 0, withText: false }); // French
  expect(press("!", "Digit1", { shiftKey: true })).toMatchObject({ withText: true });
});

test("a key that is held down decides once, and steps through frames as long as it is held", () => {
  expect(press("a", "KeyA")).toEqual({ kind: "approve" });
  for (const [key, code] of [["a", "KeyA"] as const, ["4", "Digit4"] as const])
    expect(press(key, code, { repeat: true })).toBeNull();
  expect(press("u", "KeyU", { repeat: true })).toBeNull();
  expect(press(".", "Period", { repeat: true })).toEqual({ kind: "frame", frames: 1 });
  expect(press("ArrowLeft", "ArrowLeft", { repeat: true, shiftKey: true })).toEqual({
    kind: "seek",
    seconds: -5,
  });
});

test("shortcuts of the browser, and letters of an input method's composition, are not ours", () => {
  for (const held of ["ctrlKey", "metaKey", "altKey", "isComposing"] as const)
    expect(press("a", "KeyA", { [held]: true })).toBeNull();
  expect(press("Process", "KeyA")).toEqual({ kind: "approve" });
  expect(press("x", "KeyX")).toBeNull();
});
