import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const server = fileURLToPath(
  new URL(
    "../../node_modules/@restatedev/restate-server-linux-x64/bin/restate-server",
    import.meta.url,
  ),
);

/** The settings of a dump by their path, such as `worker.snapshots.destination`. */
async function readSettings(environment: Record<string, string>) {
  const { stdout, stderr } = await run(server, ["--dump-config"], { env: environment });
  if (/deprecated/.test(stdout + stderr)) throw new Error("a setting is deprecated");
  const settings = new Set<string>();
  let section = "";
  for (const line of stdout.split("\n")) {
    const [, header] = /^\[(.+)\]$/.exec(line) ?? [];
    if (header !== undefined) section = `${header}.`;
    const [, name] = /^([a-z0-9-]+) = /.exec(line) ?? [];
    if (name !== undefined) settings.add(section + name);
  }
  return settings;
}

function pathOf(variable: string): string {
  const [, rest = ""] = /^RESTATE_(.+)$/.exec(variable) ?? [];
  return rest.toLowerCase().replaceAll("__", ".").replaceAll("_", "-");
}

/** Which of these variables Restate does not know: it ignores them silently. */
export async function unknownSettings(environment: Record<string, string>): Promise<string[]> {
  const known = await readSettings(environment);
  return Object.keys(environment).filter((name) => !known.has(pathOf(name)));
}
