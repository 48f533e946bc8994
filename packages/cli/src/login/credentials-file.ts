import { chmod, mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CliError } from "../cli-error.ts";
import { configDir } from "../environment.ts";
import { exitCodes } from "../exit-codes.ts";

export interface Credentials {
  /** The service that is used unless another is named. */
  baseUrl: string | null;
  /** Keys by the service that they are for: a key never goes to another host. */
  keys: Record<string, string>;
}

export function credentialsPath(): string {
  return join(configDir(), "credentials.json");
}

export async function readCredentials(): Promise<Credentials> {
  const path = credentialsPath();
  let text: string;
  try {
    const { mode } = await stat(path);
    if (process.platform !== "win32" && (mode & 0o077) !== 0)
      throw refusal(`${path} can be read by others.`, `Run: chmod 600 ${path}`);
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return { baseUrl: null, keys: {} };
    throw error;
  }
  try {
    const { baseUrl, keys } = JSON.parse(text) as Partial<Credentials>;
    return { baseUrl: baseUrl ?? null, keys: keys ?? {} };
  } catch {
    throw refusal(`${path} is damaged.`, "Remove it and run 'zoetrope login' again.");
  }
}

/** Writes the credentials so that at no moment there is a file that others can read, or half of one. */
export async function writeCredentials(credentials: Credentials): Promise<void> {
  const path = credentialsPath();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  await chmod(unfinished, 0o600);
  await rename(unfinished, path);
}

function refusal(message: string, next: string): CliError {
  return new CliError(message, { exitCode: exitCodes.auth, code: "credentials_file", next });
}
