import { type Command, InvalidArgumentError, Option } from "commander";
import type { Run } from "../run.ts";
import { act, parseCount, type Register } from "./act.ts";

const outcomes = ["pending", "delivered", "failed"];

export function addWebhookCommands(register: Register): void {
  const { run } = register;
  register("webhooks", "callbacks and their deliveries", (webhooks) =>
    addWebhookDetails(webhooks, run),
  );
  register("events", "finished tasks, in order", (events) =>
    events
      .command("tail")
      .description("print tasks as they finish")
      .option("--after <number>", "begin with the event after this number", parsePosition)
      .option("--no-follow", "stop after the newest event")
      .action(act(run, async () => (await import("./events.ts")).tailEvents)),
  );
}

function addWebhookDetails(webhooks: Command, run: Run): void {
  const load = () => import("./webhooks.ts");
  webhooks
    .command("listen")
    .description("forward finished tasks to a local port, signed like callbacks")
    .requiredOption("--forward-to <url>", "such as http://localhost:3000/done")
    .option("--after <number>", "also every event after this number", parsePosition)
    .addOption(
      new Option("--format <format>", "the body format: of a callBackUrl or of an endpoint")
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
    .description("redeliver with the same body and the same id")
    .argument("[deliveryId]", "one delivery")
    .option("--from <time>", "or all from this time, ISO 8601")
    .option("--to <time>", "before this time (default: now)")
    .addOption(new Option("--outcome <outcome>", "with one outcome").choices(outcomes))
    .option("--endpoint <endpointId>", "to one endpoint")
    .action(act(run, async () => (await load()).deliverAgain));
  webhooks
    .command("test")
    .description("send a test event from the service")
    .argument("<url>", "a public URL, or the id of an endpoint")
    .action(act(run, async () => (await load()).sendTest));
  webhooks
    .command("rotate")
    .description("rotate the secret and print the new one")
    .option("--endpoint <endpointId>", "the endpoint (default: the account's secret)")
    .option("--overlap-hours <hours>", "how long both secrets are valid, 0 to 168", parsePosition)
    .action(act(run, async () => (await load()).rotateSecret));
}

function parsePosition(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError("It is not a whole number.");
  return value;
}
