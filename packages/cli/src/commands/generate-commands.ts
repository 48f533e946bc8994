import { type Command, Option } from "commander";
import type { Run } from "../run.ts";
import { act, parseCount, type Register } from "./act.ts";

const modelText = "the model; its inputs are flags: add --help to see them";

export function addGenerateCommands(register: Register): void {
  const { run } = register;
  register("generate", "generate a video or an image and wait for it", (command) => {
    command
      .argument("[prompt]", "the prompt; - reads it from stdin")
      .option("-m, --model <model>", modelText)
      .addOption(
        new Option(
          "--batch <file>",
          "many tasks, a JSON object with 'inputs' per line; - is stdin",
        ).conflicts(["async", "timeout"]),
      )
      .action(act(run, async () => (await import("./generate.ts")).generate));
    addWaitOptions(addCreateOptions(command));
  });
  register("quote", "show the price of generate with the same arguments", (command) =>
    command
      .argument("[prompt]", "as for generate")
      .option("-m, --model <model>", modelText)
      .action(act(run, async () => (await import("./quote.ts")).quote)),
  );
  register("upscale", "upscale a video and wait for it", (command) => {
    command
      .argument(
        "<video>",
        "a file, which is uploaded, a https URL, or the output of a task (its link or the task id)",
      )
      .addOption(
        new Option("--to <resolution>", "the target resolution")
          .choices(["1080p", "2k", "4k"])
          .makeOptionMandatory(),
      )
      .action(act(run, async () => (await import("./upscale.ts")).upscale));
    addWaitOptions(addCreateOptions(command));
  });
}

function addCreateOptions(command: Command): Command {
  return command
    .option("--async", "print the task id and do not wait")
    .option("--max-credits <credits>", "refuse a task that costs more", parseCount)
    .option("--idempotency-key <key>", "a repetition with the same key creates no second task")
    .option("--callback-url <url>", "the URL that is called when the task has ended");
}

function addWaitOptions(command: Command): Command {
  return command
    .option("-o, --output <path>", "write the files, such as out/{taskId}.{ext}")
    .option("--timeout <seconds>", "the maximum time to wait; the task continues", parseCount)
    .option("--no-poster", "show no image in the terminal");
}

export function addTaskCommands(register: Register): void {
  const { run } = register;
  register("tasks", "list, show and wait for tasks", (tasks) => addTaskDetails(tasks, run));
}

function addTaskDetails(tasks: Command, run: Run): void {
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
    .option("--prompt <text>", "whose prompt contains this text, if the operator allows the search")
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
