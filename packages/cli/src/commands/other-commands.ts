import { Argument, type Command } from "commander";
import { act, type Register } from "./act.ts";

export function addOtherCommands(register: Register, program: Command): void {
  const { run } = register;
  register(
    "dev",
    "run the whole service on this machine, with a sandbox in place of the vendors",
    (command) =>
      command
        .option("--dir <dir>", "where its data is (default: .zoetrope)")
        .option("--port <port>", "of the api (default: a free one, the same at every start)")
        .action(act(run, async () => (await import("./dev.ts")).dev)),
  );
  register("mcp", "serve the tools for agents on standard input and output", (command) =>
    command.action(act(run, async () => (await import("./mcp.ts")).mcp)),
  );
  register("admin", "run an operator command of the server installed here", (command) =>
    command
      .argument("[words...]", "the command and its options; none lists them")
      .allowUnknownOption()
      .helpOption(false) // the operator commands have help of their own
      .action(act(run, async () => (await import("./admin.ts")).admin)),
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
