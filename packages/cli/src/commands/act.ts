import { type Command, InvalidArgumentError } from "commander";
import type { Action, Run } from "../run.ts";

/** An action of commander that loads what it does when it runs. */
export function act(run: Run, load: () => Promise<Action>) {
  return async (...all: unknown[]): Promise<void> => {
    const command = all.at(-1) as Command; // commander's last argument
    const action = await load();
    const args = command.processedArgs.flat().filter((one) => one !== undefined) as string[];
    await action({ args, options: command.optsWithGlobals(), run });
  };
}

/** Adds the commands of the top level. The options of a command are set up only where they are needed. */
export interface Register {
  run: Run;
  (name: string, description: string, detail: (command: Command) => void): void;
}

/** Parses the value of an option that must be a number of at least 1. */
export function parseCount(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError("It is not a whole number above 0.");
  return value;
}
