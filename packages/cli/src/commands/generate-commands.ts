import { type Command, Option } from "commander";
import type { Run } from "../run.ts";
import { act, parseCount } from "./act.ts";

const modelText = "the model; its inputs are flags: add --help to see them";

export function addGenerateCommands(program: Command, run: Run): void {
  const generate = program
    .command("generate")
    .description("make a video or an image and wait for it")
    .argument("[prompt]", "what to make; - reads it from stdin")
    .option("-m, --model <model>", modelText)
    .addOption(
      new Option(
        "--batch <file>",
        "many tasks, a JSON object with 'inputs' per line; - is stdin",
      ).conflicts(["async", "timeout"]),
    )
    .option("--max-credits <credits>", "refuse a task that costs more", parseCount)
    .action(act(run, async () => (await import("./generate.ts")).generate));
  addWaitOptions(addCreateOptions(generate));
  program
    .command("quote")
    .description("show what generate with the same arguments would cost")
    .argument("[prompt]", "as for generate")
    .option("-m, --model <model>", modelText)
    .action(act(run, async () => (await import("./quote.ts")).quote));
  const upscale = program
    .command("upscale")
    .description("upscale a video and wait for it")
    .argument("<video>", "a file, which is uploaded, or a https URL")
    .addOption(
      new Option("--to <resolution>", "the target resolution")
        .choices(["1080p", "2k", "4k"])
        .makeOptionMandatory(),
    )
    .action(act(run, async () => (await import("./upscale.ts")).upscale));
  addWaitOptions(addCreateOptions(upscale));
}

function addCreateOptions(command: Command): Command {
  return command
    .option("--async", "print the task id and do not wait")
    .option("--idempotency-key <key>", "repeat the command with the same key to make one task")
    .option("--callback-url <url>", "called when the task is over");
}

function addWaitOptions(command: Command): Command {
  return command
    .option("-o, --output <path>", "write the files, such as out/{taskId}.{ext}")
    .option("--timeout <seconds>", "wait no longer; the task goes on", parseCount)
    .option("--no-poster", "show no image in the terminal");
}

export function addTaskCommands(program: Command, run: Run): void {
  const tasks = program.command("tasks").description("list, show and wait for tasks");
  const load = () => import("./tasks.ts");
  tasks
    .command("list")
    .description("tasks of both kinds, newest first")
    .addOption(
      new Option("--status <status>", "PENDING, PROCESSING, COMPLETED or FAILED").argParser(
        (text: string) => text.toUpperCase(),
      ),
    )
    .addOption(new Option("--kind <kind>", "of one kind").choices(["generation", "upscale"]))
    .option("--model <model>", "of one model")
    .option("--from <time>", "created at or after, ISO 8601")
    .option("--to <time>", "created before, ISO 8601")
    .option("--prompt <text>", "whose prompt contains this, where the operator enables it")
    .option("--limit <count>", "1 to 100", parseCount)
    .option("--cursor <cursor>", "nextCursor of the page before")
    .action(act(run, async () => (await load()).listTasks));
  const one = (name: string, text: string) =>
    tasks.command(name).description(text).argument("<taskId>", "a generation or an upscale");
  one("get", "show a task").action(act(run, async () => (await load()).getTask));
  addWaitOptions(one("wait", "wait for the end of a task")).action(
    act(run, async () => (await load()).waitTask),
  );
  one("open", "open the result on this machine").action(
    act(run, async () => (await load()).openTask),
  );
  one("timeline", "show what happened to a task and when").action(
    act(run, async () => (await load()).showTimeline),
  );
}
