#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { readVersion } from "./version.ts";

const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
  process.stdout.write(`${readVersion()}\n`);
} else {
  enableCompileCache();
  const { runCli } = await import("./run-cli.ts");
  process.exitCode = await runCli(argv);
}
