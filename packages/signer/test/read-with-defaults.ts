import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const program = `
const { Reader } = await import("@contentauth/c2pa-node");
const [path, mimeType] = process.argv.slice(1);
await Reader.fromAsset({ path, mimeType }).catch(() => null);
process.exit();
`;

/** Reads a file as c2pa-node does unless it is told otherwise. */
export async function readWithDefaults(path: string, contentType: string): Promise<void> {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const args = ["--input-type=module", "--eval", program, path, contentType];
  await promisify(execFile)(process.execPath, args, { cwd });
}
