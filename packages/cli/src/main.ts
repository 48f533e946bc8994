#!/usr/bin/env node
// Nothing is imported before the version is known: an older Node fails at the import, with a stack.
const nodeMajorMin = 22;
const { node } = process.versions;
const argv = process.argv.slice(2);
if (Number.parseInt(node, 10) < nodeMajorMin) {
  process.stderr.write(
    `Error: zoetrope needs Node ${nodeMajorMin} or newer, and this is Node ${node}. Install it from https://nodejs.org.\n`,
  );
  process.exitCode = 1;
} else if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
  const { readVersion } = await import("./version.ts");
  process.stdout.write(`${readVersion()}\n`);
} else {
  const { enableCompileCache } = await import("node:module");
  enableCompileCache();
  const { runCli } = await import("./run-cli.ts");
  process.exitCode = await runCli(argv);
}

export {};
