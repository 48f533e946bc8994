import { Argument, type Command } from "commander";
import type { Run } from "../run.ts";
import { act } from "./act.ts";

export function addOtherCommands(program: Command, run: Run): void {
  program
    .command("dev")
    .description("run the whole service on this machine, with a sandbox in place of the vendors")
    .option("--dir <dir>", "where its data is (default: .zoetrope)")
    .option("--port <port>", "of the api (default: a free one, the same at every start)")
    .action(act(run, async () => (await import("./dev.ts")).dev));
  program
    .command("admin")
    .description("run an operator command of the server installed here")
    .argument("[words...]", "the command and its options; none lists them")
    .allowUnknownOption()
    .helpOption(false) // the operator commands have help of their own
    .action(act(run, async () => (await import("./admin.ts")).admin));
  program
    .command("completions")
    .description("print a script that completes commands and options")
    .addArgument(new Argument("<shell>", "your shell").choices(["bash", "zsh", "fish"]))
    .action(async (shell: string) => {
      const { renderCompletions } = await import("./completions.ts");
      process.stdout.write(renderCompletions(program, shell));
    });
  program
    .command("schema")
    .description("print every command, option and exit code as JSON")
    .action(async () => {
      const { describeProgram } = await import("./describe-program.ts");
      process.stdout.write(`${JSON.stringify(describeProgram(program), null, 2)}\n`);
    });
}
