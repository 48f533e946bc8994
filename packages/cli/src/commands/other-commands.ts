import { Argument, type Command } from "commander";
import type { Run } from "../run.ts";
import { act, type Register } from "./act.ts";

export type AddAdmin = (admin: Command, run: Run) => void;

/** `addAdmin`: loaded only where the commands of the operator API are asked for. */
export function addOtherCommands(
  register: Register,
  program: Command,
  addAdmin: AddAdmin | null,
): void {
  const { run } = register;
  register(
    "dev",
    "run the whole service on this machine, with a sandbox that emulates the vendors",
    (command) =>
      command
        .option("--dir <dir>", "data directory (default: .zoetrope)")
        .option("--port <port>", "API port (default: a free port, reused on later starts)")
        .action(act(run, async () => (await import("./dev.ts")).dev)),
  );
  register("mcp", "serve the tools for agents on standard input and output", (command) =>
    command.action(act(run, async () => (await import("./mcp.ts")).mcp)),
  );
  register(
    "admin",
    "run the service: accounts, credits, vendors and more, with a service key",
    (admin) => addAdmin?.(admin, run),
  );
  register("completions", "print a script that completes commands and options", (command) =>
    command
      .addArgument(new Argument("<shell>", "your shell").choices(["bash", "zsh", "fish"]))
      .action(async (shell: string) => {
        const { renderCompletions } = await import("./completions.ts");
        process.stdout.write(renderCompletions(program, shell));
      }),
  );
  register("schema", "print every command, option and exit code as JSON", (command) =>
    command.action(async () => {
      const { describeProgram } = await import("./describe-program.ts");
      process.stdout.write(`${JSON.stringify(describeProgram(program), null, 2)}\n`);
    }),
  );
}
