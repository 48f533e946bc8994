import { readFile } from "node:fs/promises";
import { fail, type Options, readText } from "./command.ts";

const sizeBytesMax = 16 * 1024;

/** A key from `--key-file` or from standard input. Never from the command line, which every user can see. */
export async function readKey(options: Options): Promise<string> {
  const path = options["key-file"] === undefined ? null : readText(options, "key-file");
  const text = path === null ? await readInput() : await readKeyFile(path);
  const key = text.trim();
  if (key === "" || /\s/.test(key)) fail("The key must be one word.");
  return key;
}

async function readKeyFile(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => fail("The file of --key-file cannot be read."));
}

async function readInput(): Promise<string> {
  if (process.stdin.isTTY)
    process.stderr.write(
      "Paste the key, then press Enter and Ctrl-D. It is shown on the screen.\n",
    );
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    if (size > sizeBytesMax) fail("The key on standard input is too long.");
  }
  return Buffer.concat(chunks).toString("utf8");
}
