/** The command that a key gives. `at` is the index of the reason, from 0. */
export type Command =
  | { kind: "approve" }
  | { kind: "skip" }
  | { kind: "undo" }
  | { kind: "refuse"; at: number; withText: boolean }
  | { kind: "play" | "mute" | "zoom" | "toStart" }
  | { kind: "seek"; seconds: number }
  | { kind: "frame"; frames: number }
  | { kind: "speed"; step: 1 | -1 };

const letters: Readonly<Record<string, Command>> = {
  a: { kind: "approve" },
  s: { kind: "skip" },
  u: { kind: "undo" },
  k: { kind: "play" },
  " ": { kind: "play" },
  m: { kind: "mute" },
  f: { kind: "zoom" },
  Home: { kind: "toStart" },
  ",": { kind: "frame", frames: -1 },
  ".": { kind: "frame", frames: 1 },
  "[": { kind: "speed", step: -1 },
  "]": { kind: "speed", step: 1 },
};

type Pressed = Pick<
  KeyboardEvent,
  "key" | "code" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey" | "repeat" | "isComposing"
>;

/** Null: the key is not ours. A key that is held down repeats no decision. */
export function commandOf(event: Pressed): Command | null {
  const { key, code, shiftKey, ctrlKey, metaKey, altKey, repeat, isComposing } = event;
  if (ctrlKey || metaKey || altKey || isComposing) return null;
  // The key's place counts: on some keyboards digits need Shift.
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
  if (digit !== undefined)
    return repeat ? null : { kind: "refuse", at: (Number(digit) + 9) % 10, withText: shiftKey };
  if (key === "ArrowLeft" || key === "ArrowRight")
    return { kind: "seek", seconds: (key === "ArrowLeft" ? -1 : 1) * (shiftKey ? 5 : 1) };
  // An input method hides which letter it was.
  const typed = key === "Process" ? code.replace(/^Key/, "") : key;
  const command = letters[typed.length === 1 ? typed.toLowerCase() : typed] ?? null;
  if (!repeat || command?.kind === "frame") return command;
  return null;
}

/** The key of a reason, as it is shown. */
export function keyOfReason(at: number): string {
  return String((at + 1) % 10);
}

const fields = "input, textarea, select, [contenteditable]";

/** Whether keys are text, because somebody types or a dialog is open. */
export function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector("dialog[open]") !== null) return true;
  return target instanceof Element && target.closest(fields) !== null;
}

/** A focused button is pressed by Space. */
export function isPressing(event: KeyboardEvent): boolean {
  const isPress = event.key === " " || event.key === "Enter";
  return isPress && event.target instanceof Element && event.target.closest("button, a") !== null;
}
