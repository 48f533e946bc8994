import { type Command, Option } from "commander";
import type { Run } from "../run.ts";
import { act, parseCount, type Register } from "./act.ts";

export function addLoginCommands(register: Register): void {
  const { run } = register;
  const load = () => import("./login.ts");
  register("login", "store an API key, from a prompt or stdin", (command) =>
    command.action(act(run, async () => (await load()).login)),
  );
  register("logout", "remove the stored API key of a service", (command) =>
    command.action(act(run, async () => (await load()).logout)),
  );
  register("models", "list the models, or the inputs of one", (command) =>
    command
      .argument("[model]", "the name of a model")
      .action(act(run, async () => (await import("./models.ts")).models)),
  );
}

function addPaging(command: Command, parseCursor?: (text: string) => number): Command {
  command.option("--limit <count>", "items of a page", parseCount);
  const cursor = new Option("--cursor <cursor>", "nextCursor of the page before");
  if (parseCursor !== undefined) cursor.argParser(parseCursor);
  return command.addOption(cursor);
}

export function addAssetCommands(register: Register): void {
  const { run } = register;
  register("assets", "files that tasks use", (assets) => addAssetDetails(assets, run));
}

function addAssetDetails(assets: Command, run: Run): void {
  const load = () => import("./assets.ts");
  assets
    .command("upload")
    .description("upload files and wait for their review")
    .argument("<file...>", "files, URLs that the service fetches, or task://<taskId>, an output")
    .addOption(
      new Option("--type <type>", "the file type (default: from the name)").choices([
        "image",
        "video",
        "audio",
      ]),
    )
    .option("--async", "do not wait for the review")
    .action(act(run, async () => (await load()).uploadAssets));
  addPaging(assets.command("list").description("assets, newest first"), parseCount).action(
    act(run, async () => (await load()).listAssets),
  );
  assets
    .command("status")
    .description("show an asset and its review")
    .argument("<assetId>", "assetId or upstreamAssetId")
    .action(act(run, async () => (await load()).showAsset));
}

export function addAccountCommands(register: Register): void {
  const { run } = register;
  const load = () => import("./account.ts");
  register("credits", "show the available credits", (command) =>
    command.action(act(run, async () => (await load()).showCredits)),
  );
  register("ledger", "every hold, charge and release, newest first", (command) =>
    addPaging(command, parseCount).action(act(run, async () => (await load()).showLedger)),
  );
  register("usage", "what tasks came to", (command) => {
    command
      .addOption(new Option("--by <interval>", "the interval").choices(["hour", "day", "month"]))
      .addOption(
        new Option("--group <group>", "an item for each").choices(["model", "key", "status"]),
      )
      .option("--from <time>", "ISO 8601")
      .option("--to <time>", "ISO 8601");
    addPaging(command).action(act(run, async () => (await load()).showUsage));
  });
}

export function addKeyCommands(register: Register): void {
  const { run } = register;
  register("keys", "API keys of the account", (keys) => addKeyDetails(keys, run));
}

function addKeyDetails(keys: Command, run: Run): void {
  const load = () => import("./keys.ts");
  addPaging(keys.command("list").description("keys with their limits, newest first")).action(
    act(run, async () => (await load()).listKeys),
  );
  keys
    .command("create")
    .description("create a key and print it, once")
    .argument("<name>", "to recognise it by")
    .option("--scopes <list>", "tasks,assets,webhooks,account,read")
    .option("--models <list>", "certain models only")
    .option("--credits-max <credits>", "its budget", parseCount)
    .option("--requests-per-minute <count>", "its rate", parseCount)
    .option("--expires <time>", "ISO 8601")
    .option("--test", "a key of the test account")
    .action(act(run, async () => (await load()).createKey));
  keys
    .command("revoke")
    .description("end a key")
    .argument("<keyId>", "from keys list")
    .action(act(run, async () => (await load()).revokeKey));
}
