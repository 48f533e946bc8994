import { type Command, Option } from "commander";
import type { Run } from "../run.ts";
import { act, parseCount } from "./act.ts";

export function addLoginCommands(program: Command, run: Run): void {
  const load = () => import("./login.ts");
  program
    .command("login")
    .description("keep an API key; it is asked for, or read from stdin")
    .action(act(run, async () => (await load()).login));
  program
    .command("logout")
    .description("forget the API key of a service")
    .action(act(run, async () => (await load()).logout));
  program
    .command("models")
    .description("list the models, or what one of them takes")
    .argument("[model]", "the name of a model")
    .action(act(run, async () => (await import("./models.ts")).models));
}

function addPaging(command: Command, parseCursor?: (text: string) => number): Command {
  command.option("--limit <count>", "items of a page", parseCount);
  const cursor = new Option("--cursor <cursor>", "nextCursor of the page before");
  if (parseCursor !== undefined) cursor.argParser(parseCursor);
  return command.addOption(cursor);
}

export function addAssetCommands(program: Command, run: Run): void {
  const assets = program.command("assets").description("files that tasks use");
  const load = () => import("./assets.ts");
  assets
    .command("upload")
    .description("upload files and wait for their review")
    .argument("<file...>", "files, or URLs that the service fetches")
    .addOption(
      new Option("--type <type>", "unless the name tells").choices(["image", "video", "audio"]),
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

export function addAccountCommands(program: Command, run: Run): void {
  const load = () => import("./account.ts");
  program
    .command("credits")
    .description("show what the account can spend")
    .action(act(run, async () => (await load()).showCredits));
  addPaging(
    program.command("ledger").description("every hold, charge and release, newest first"),
    parseCount,
  ).action(act(run, async () => (await load()).showLedger));
  const usage = program
    .command("usage")
    .description("what tasks came to")
    .addOption(new Option("--by <interval>", "the interval").choices(["hour", "day", "month"]))
    .addOption(
      new Option("--group <group>", "an item for each").choices(["model", "key", "status"]),
    )
    .option("--from <time>", "ISO 8601")
    .option("--to <time>", "ISO 8601");
  addPaging(usage).action(act(run, async () => (await load()).showUsage));
}

export function addKeyCommands(program: Command, run: Run): void {
  const keys = program.command("keys").description("API keys of the account");
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
