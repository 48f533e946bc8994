/** Somebody who types on pauses for less between two keys. */
const pauseMs = 500;

/** A key whose release macOS reports only when it is pressed again. */
const neverUp = "CapsLock";

export interface Quiet {
  /** Whether keys are no commands: a dialog is open, or what is typed may still be meant for it. */
  isOn(): boolean;
  noteDialogs(isOpen: boolean): void;
  noteDown(code: string): void;
  noteUp(code: string): void;
  /** Notes that the page lost focus: keys that are released elsewhere are not reported. */
  noteAway(): void;
  dispose(): void;
}

/**
 * Creates the state in which keys are text, from the moment a dialog opens until it has closed, all
 * keys are up and none was pressed for a while: the end of a sentence decides nothing about the
 * next asset.
 */
export function createQuiet(onChange: (isQuiet: boolean) => void): Quiet {
  const held = new Set<string>();
  let isOpen = false;
  let isQuiet = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const set = (next: boolean) => {
    if (next === isQuiet) return;
    isQuiet = next;
    onChange(next);
  };
  const waitAgain = () => {
    clearTimeout(timer);
    if (isQuiet && !isOpen && held.size === 0) timer = setTimeout(() => set(false), pauseMs);
  };
  return {
    isOn: () => isQuiet,
    noteDialogs(next) {
      if (next && !isOpen) held.clear(); // those of the command that opened it decide nothing more
      isOpen = next;
      if (next) set(true);
      waitAgain();
    },
    noteDown(code) {
      if (isQuiet && code !== neverUp) held.add(code);
      waitAgain();
    },
    noteUp(code) {
      if (code.startsWith("Meta"))
        held.clear(); // while it is held, macOS tells of no key that goes up
      else held.delete(code);
      waitAgain();
    },
    noteAway() {
      held.clear();
      waitAgain();
    },
    dispose: () => clearTimeout(timer),
  };
}
