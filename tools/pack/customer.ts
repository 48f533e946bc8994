import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { childEnv } from "@zoetrope/dev/services/command-line.ts";
import { renderFile } from "@zoetrope/testkit/make-media.ts";
import { install } from "./install-packages.ts";

const run = promisify(execFile);
const programMsMax = 900_000; // only what hangs reaches it
const programs = fileURLToPath(new URL("customer", import.meta.url));

/** The address and the key that `zoetrope dev` has printed. */
export interface Printed {
  readonly url: string;
  readonly key: string;
}

export function readPrinted(text: string): Printed {
  const [, url] = /^ {2}url {3}(\S+)$/m.exec(text) ?? [];
  const [, key] = /^ {2}key {3}(\S+)$/m.exec(text) ?? [];
  if (url === undefined || key === undefined) throw new Error(`no url or no key in:\n${text}`);
  return { url, key };
}

/** Returns the package's URL that the service itself tells to install. */
async function readPackageUrl({ url }: Printed, id: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/packages`);
  const { items } = (await response.json()) as { items: { id: string; url: string }[] };
  const found = items.find((one) => one.id === id);
  if (found === undefined) throw new Error(`${id} is not among ${JSON.stringify(items)}`);
  return found.url;
}

const settings = ({ url, key }: Printed) =>
  childEnv({ ZOETROPE_BASE_URL: url, ZOETROPE_API_KEY: key });

export interface Made {
  readonly image: string;
  readonly video: string;
}

/** Runs a program in a folder, with the customer's variables. */
export async function runProgram(
  printed: Printed,
  cwd: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { cwd, env: { ...settings(printed), ...env }, timeout: programMsMax };
  const { stdout } = await run(command, args, options);
  return stdout;
}

/** A picture whose name is longer than the name of an asset may be. */
export async function paintLongName(dir: string): Promise<string> {
  await mkdir(dir, { recursive: true });
  const path = join(dir, `${"a picture with a long name ".repeat(6)}.png`);
  await renderFile(path, ["-f", "lavfi", "-i", "testsrc2=s=640x640:d=1", "-frames:v", "1"]);
  return path;
}

/** Acts as a customer in an empty folder, with the SDK from the service. */
export async function beNodeCustomer(printed: Printed, dir: string, node: string): Promise<Made> {
  await install(dir, [await readPackageUrl(printed, "typescript")]);
  const program = join(dir, "customer.mjs");
  await run("cp", [join(programs, "customer.mjs"), program]);
  const made = { image: join(dir, "made/image.png"), video: join(dir, "made/video.mp4") };
  const file = await paintLongName(join(dir, "mine"));
  await runProgram(printed, dir, node, [program, file, made.image, made.video]);
  return made;
}

/**
 * Acts as a customer in an empty folder, with the wheel from the service; a wheel without binaries
 * is installed by unpacking it.
 */
export async function bePythonCustomer(printed: Printed, dir: string): Promise<Made> {
  await mkdir(join(dir, "made"), { recursive: true });
  const url = await readPackageUrl(printed, "python");
  const wheel = join(dir, url.split("/").at(-1) ?? "");
  await writeFile(wheel, Buffer.from(await (await fetch(url)).arrayBuffer()));
  const python = "/usr/bin/python3"; // Debian's, which has httpx
  await runProgram(printed, dir, python, ["-m", "zipfile", "-e", wheel, join(dir, "packages")]);
  const program = join(dir, "customer.py");
  await run("cp", [join(programs, "customer.py"), program]);
  const made = { image: join(dir, "made/image.png"), video: join(dir, "made/video.mp4") };
  const file = await paintLongName(join(dir, "mine"));
  const found = { PYTHONPATH: join(dir, "packages"), PYTHONDONTWRITEBYTECODE: "1" };
  await runProgram(printed, dir, python, [program, file, made.image, made.video], found);
  return made;
}
