import { type Command, InvalidArgumentError, Option } from "commander";
import type { Run } from "../run.ts";
import { act, parseCount } from "./act.ts";

const outcomes = ["pending", "delivered", "failed"];

export function addWebhookCommands(program: Command, run: Run): void {
  const webhooks = program.command("webhooks").description("callbacks and their deliveries");
  const load = () => import("./webhooks.ts");
  webhooks
    .command("listen")
    .description("send every end of a task to a local port, signed like a callback")
    .requiredOption("--forward-to <url>", "such as http://localhost:3000/done")
    .option("--after <number>", "also every event after this number", parsePosition)
    .addOption(
      new Option("--format <format>", "the body of a callBackUrl, or of an endpoint")
        .choices(["callback", "endpoint"])
        .default("callback"),
    )
    .action(act(run, async () => (await import("./webhooks-listen.ts")).listenWebhooks));
  webhooks
    .command("list")
    .description("deliveries with their attempts, newest first")
    .option("--task <taskId>", "of one task")
    .option("--endpoint <endpointId>", "to one endpoint")
    .addOption(new Option("--outcome <outcome>", "with one outcome").choices(outcomes))
    .option("--limit <count>", "items of a page", parseCount)
    .option("--cursor <cursor>", "nextCursor of the page before")
    .action(act(run, async () => (await load()).listDeliveries));
  webhooks
    .command("again")
    .description("deliver again, the same bytes with the same id")
    .argument("[deliveryId]", "one delivery")
    .option("--from <time>", "or all from this time on, ISO 8601")
    .option("--to <time>", "before this time; now if left out")
    .addOption(new Option("--outcome <outcome>", "with one outcome").choices(outcomes))
    .option("--endpoint <endpointId>", "to one endpoint")
    .action(act(run, async () => (await load()).deliverAgain));
  webhooks
    .command("test")
    .description("have the service send a test event")
    .argument("<url>", "a public URL, or the id of an endpoint")
    .action(act(run, async () => (await load()).sendTest));
  webhooks
    .command("rotate")
    .description("make a new secret and print it")
    .option("--endpoint <endpointId>", "of an endpoint, not of the account")
    .option("--overlap-hours <hours>", "how long both secrets sign, 0 to 168", parsePosition)
    .action(act(run, async () => (await load()).rotateSecret));
  const events = program.command("events").description("ends of tasks, in order");
  events
    .command("tail")
    .description("print every end of a task as it happens")
    .option("--after <number>", "begin with the event after this number", parsePosition)
    .option("--no-follow", "end with the last event that there is")
    .action(act(run, async () => (await import("./events.ts")).tailEvents));
}

function parsePosition(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError("It is not a whole number.");
  return value;
}
