import { expect, test, vi } from "vitest";
import { createQuiet } from "./quiet.ts";

const closed = () => {
  vi.useFakeTimers();
  const quiet = createQuiet(() => {});
  quiet.noteDialogs(true);
  return quiet;
};

test("after a dialog closes keys are commands again once all are up and half a second has passed", () => {
  const quiet = closed();
  vi.advanceTimersByTime(60_000);
  expect(quiet.isOn()).toBe(true);
  quiet.noteDown("Enter");
  quiet.noteDialogs(false);
  vi.advanceTimersByTime(60_000); // held down
  expect(quiet.isOn()).toBe(true);
  quiet.noteUp("Enter");
  vi.advanceTimersByTime(499);
  expect(quiet.isOn()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(quiet.isOn()).toBe(false);
});

test("somebody who types on keeps keys from being commands", () => {
  const quiet = closed();
  quiet.noteDialogs(false);
  for (let at = 0; at < 40; at++) {
    vi.advanceTimersByTime(300);
    expect(quiet.isOn()).toBe(true);
    quiet.noteDown("KeyA");
    quiet.noteUp("KeyA");
  }
  vi.advanceTimersByTime(500);
  expect(quiet.isOn()).toBe(false);
});

test("keys whose way up is never told do not keep the commands away", () => {
  for (const end of ["away", "Meta", "CapsLock"]) {
    const quiet = closed();
    quiet.noteDown(end === "CapsLock" ? end : "KeyK");
    quiet.noteDialogs(false);
    if (end === "away") quiet.noteAway();
    if (end === "Meta") quiet.noteUp("MetaLeft");
    vi.advanceTimersByTime(500);
    expect(quiet.isOn()).toBe(false);
  }
});
