import { styleText } from "node:util";
import { cleanText } from "./clean-text.ts";

type Format = Parameters<typeof styleText>[0];

/** The output of a command: results on stdout, everything else on stderr. */
export interface Talk {
  /** Results are JSON: asked for, or stdout is no terminal. */
  readonly isJson: boolean;
  readonly isTerminal: boolean;
  /** A line on stderr. */
  say(text: string): void;
  /** A result: an object for programs, lines for people. */
  result(value: unknown, lines: () => string | readonly string[]): void;
  /** Takes the line that is being rewritten off the screen while something else is written. */
  spinner: { clear(): void } | null;
}

export function openTalk(wantsJson: boolean): Talk {
  const talk: Talk = {
    isJson: wantsJson || !process.stdout.isTTY,
    isTerminal: process.stderr.isTTY === true,
    spinner: null,
    say(text) {
      talk.spinner?.clear();
      process.stderr.write(`${text}\n`);
    },
    result(value, lines) {
      talk.spinner?.clear();
      const text = talk.isJson ? toJson(value) : [lines()].flat().join("\n");
      process.stdout.write(`${text}\n`);
    },
  };
  return talk;
}

/** Returns JSON on one line, with control characters escaped, also those that JSON lets through. */
export function toJson(value: unknown): string {
  const toEscape = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029]/g, toEscape);
}

/** Colour on stderr, unless it is no terminal or NO_COLOR is set. */
export function onStderr(format: Format, text: string): string {
  return styleText(format, text, { stream: process.stderr });
}

/** Colour on stdout, likewise. */
export function onStdout(format: Format, text: string): string {
  return styleText(format, text, { stream: process.stdout });
}

/** A link that terminals can open, where they can; the text alone elsewhere. */
export function linkOnStdout(url: string, text = url): string {
  const shown = cleanText(text);
  if (!process.stdout.isTTY || !/^https?:\/\/[\x21-\x7e]+$/.test(url)) return shown;
  return `\u001b]8;;${url}\u001b\\${shown}\u001b]8;;\u001b\\`;
}
