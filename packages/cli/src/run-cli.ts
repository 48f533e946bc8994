import { CommanderError } from "commander";
import { usageError } from "./cli-error.ts";
import { exitCodes } from "./exit-codes.ts";
import { buildProgram } from "./program.ts";
import type { Run } from "./run.ts";

/** Runs one command and returns the exit code. */
export async function runCli(argv: readonly string[]): Promise<number> {
  const stop = new AbortController();
  const [command] = argv;
  const named = command === undefined || command.startsWith("-") ? {} : { command };
  const run: Run = { signal: stop.signal, pending: {}, ...named };
  let exitCode: number = exitCodes.interrupted;
  const onSignal = (signal: NodeJS.Signals) => {
    exitCode = signal === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated;
    if (stop.signal.aborted) process.exit(exitCode); // a second Ctrl-C waits for nothing
    stop.abort(new Error("Interrupted."));
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  process.stdout.on("error", () => process.exit(exitCodes.ok)); // the reader has seen enough
  try {
    const program = await buildProgram(run, argv);
    const found = program.commands.find((one) => one.name() === command);
    let args = [...argv];
    if (found !== undefined && ["generate", "quote"].includes(found.name())) {
      const { prepareFlags } = await import("./models/prepare-flags.ts");
      args = await prepareFlags(found, argv, run);
    }
    await program.parseAsync(args, { from: "user" });
    return run.exitCode ?? exitCodes.ok;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok; // help
    const wantsJson = argv.includes("--json");
    const { reportError, reportInterrupted } = await import("./report-error.ts");
    if (!stop.signal.aborted) return reportError(usageOf(error, argv), run, wantsJson);
    reportInterrupted(run, exitCode, wantsJson);
    process.exit(exitCode); // nothing that is still under way holds it up
  }
}

/** Commander's words for wrong arguments, as one of ours. */
function usageOf(error: unknown, argv: readonly string[]): unknown {
  if (!(error instanceof CommanderError)) return error;
  const [first, ...more] = error.message.replace(/^error: /, "").split("\n");
  const hint = more.join(" ").replace(/[()]/g, "").trim();
  const isModelCommand = argv[0] === "generate" || argv[0] === "quote";
  const hasModel = argv.some((arg) => /^(-m|--model)/.test(arg));
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
