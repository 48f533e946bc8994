import { cleanText } from "./clean-text.ts";
import { onStderr, type Talk } from "./talk.ts";

export interface Spinner extends Disposable {
  /** Shows what is being waited for. Without a terminal, each change is printed on a separate line. */
  show(text: string, detail?: string): void;
  clear(): void;
}

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const frameMs = 120;

/** One line on stderr that is rewritten while something lasts, with the time that it took so far. */
export function startSpinner(talk: Talk): Spinner {
  const began = performance.now();
  let shown: readonly string[] = [];
  let frame = 0;
  const draw = () => {
    const [what, ...details] = shown;
    if (what === undefined) return;
    frame = (frame + 1) % frames.length;
    const width = process.stderr.columns || 80;
    const text = [what, formatSeconds(performance.now() - began), ...details].join(" · ");
    const line = text.slice(0, Math.max(1, width - 3)); // one row: more is not rewritten
    process.stderr.write(`\r\u001b[K${onStderr("cyan", frames[frame] ?? "")} ${line}`);
  };
  const timer = talk.isTerminal ? setInterval(draw, frameMs) : undefined;
  timer?.unref();
  const spinner: Spinner = {
    show(text, detail) {
      const clean = [text, ...(detail === undefined ? [] : [detail])].map(cleanText);
      if (clean.join() === shown.join()) return;
      shown = clean;
      if (talk.isTerminal) draw();
      else process.stderr.write(`${clean.join(" · ")}\n`);
    },
    clear() {
      if (talk.isTerminal) process.stderr.write("\r\u001b[K");
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      shown = [];
      spinner.clear();
      if (talk.spinner === spinner) talk.spinner = null;
    },
  };
  talk.spinner = spinner;
  return spinner;
}

export function formatSeconds(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} min`;
}
