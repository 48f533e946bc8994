import { CommanderError } from "commander";
import { usageError } from "./cli-error.ts";
import { exitCodes } from "./exit-codes.ts";
import { buildProgram } from "./program.ts";
import type { Run } from "./run.ts";

/** Runs one command and answers the exit code. */
export async function runCli(argv: readonly string[]): Promise<number> {
  const stop = new AbortController();
  const run: Run = { signal: stop.signal, pending: {} };
  let exitCode: number = exitCodes.interrupted;
  const onSignal = (signal: NodeJS.Signals) => {
    exitCode = signal === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated;
    if (stop.signal.aborted) process.exit(exitCode); // a second Ctrl-C waits for nothing
    stop.abort(new Error("Interrupted."));
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  process.stdout.on("error", () => process.exit(exitCodes.ok)); // the reader has seen enough
  try {
    const program = buildProgram(run);
    const command = program.commands.find((one) => one.name() === argv[0]);
    let words = [...argv];
    if (command !== undefined && ["generate", "quote"].includes(command.name())) {
      const { prepareFlags } = await import("./models/prepare-flags.ts");
      words = await prepareFlags(command, argv, run);
    }
    await program.parseAsync(words, { from: "user" });
    return run.exitCode ?? exitCodes.ok;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok; // help
    const wantsJson = argv.includes("--json");
    const { tellError, tellInterrupted } = await import("./tell-error.ts");
    if (!stop.signal.aborted) return tellError(usageOf(error, argv), run, wantsJson);
    tellInterrupted(run, exitCode, wantsJson);
    process.exit(exitCode); // nothing that is still under way holds it up
  }
}

/** Commander's words for wrong arguments, as one of ours. */
function usageOf(error: unknown, argv: readonly string[]): unknown {
  if (!(error instanceof CommanderError)) return error;
  const [first, ...more] = error.message.replace(/^error: /, "").split("\n");
  const hint = more.join(" ").replace(/[()]/g, "").trim();
  const isModelCommand = argv[0] === "generate" || argv[0] === "quote";
  const hasModel = argv.some((word) => /^(-m|--model)/.test(word));
  const next =
    error.code === "commander.unknownOption" && isModelCommand && !hasModel
      ? "Add --model: the inputs of a model are flags once it is known."
      : "Add --help to see what the command takes.";
  const sentence = (first ?? "").replace(/([^.?!])$/, "$1.");
  return usageError(
    sentence.charAt(0).toUpperCase() + sentence.slice(1),
    hint === "" ? next : hint,
  );
}
