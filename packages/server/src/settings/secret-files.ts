import { readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import {
  readTable,
  type Setting,
  type SettingFault,
  type SettingsTable,
  type Values,
} from "./setting.ts";

type Environment = Record<string, string | undefined>;

const sizeBytesMax = 1024 * 1024;
const othersCanUse = 0o006;

/** Returns the name of the setting that gives a secret as the path of a file. */
export function fileNameOf({ name }: { name: string }): string {
  return `${name}_FILE`;
}

/** Reads every setting, secrets from their files too, and collects every fault. */
export function readWithFiles<Table extends SettingsTable>(
  table: Table,
  environment: Environment,
): { values: Values<Table>; faults: SettingFault[]; warnings: SettingFault[] } {
  const all = Object.values(table).flatMap((group) => Object.values(group));
  const files = readSecretFiles(all, environment);
  const { values, faults } = readTable(table, files.environment);
  const unread = new Set(files.faults.map(({ path: [name] }) => name));
  const others = faults.filter(({ path: [name] }) => !unread.has(`${String(name)}_FILE`));
  return { values, faults: [...files.faults, ...others], warnings: files.warnings };
}

/**
 * Returns the environment with secret settings that are given as `NAME_FILE` read from that file, without
 * its last line break. Messages repeat neither content nor path, because an operator who confuses the two
 * names writes the secret where the path belongs.
 */
export function readSecretFiles(
  settings: readonly Setting<unknown>[],
  environment: Environment,
): { environment: Environment; faults: SettingFault[]; warnings: SettingFault[] } {
  const read = { environment: { ...environment }, faults: [], warnings: [] } as ReturnType<
    typeof readSecretFiles
  >;
  for (const setting of settings) {
    const path = environment[fileNameOf(setting)];
    if (!setting.isSecret || path === undefined || path === "") continue;
    const at = [fileNameOf(setting)];
    const result = environment[setting.name]
      ? { fault: `set either ${setting.name} or ${fileNameOf(setting)}, not both` }
      : readSecretFile(path);
    if ("fault" in result) read.faults.push({ path: at, message: result.fault });
    else read.environment[setting.name] = result.text;
    if ("isOpen" in result && result.isOpen)
      read.warnings.push({
        path: at,
        message: "every user of this machine can use the file: run chmod o-rw on it",
      });
  }
  return read;
}

function readSecretFile(path: string): { text: string; isOpen: boolean } | { fault: string } {
  try {
    const { size, mode } = statSync(path);
    if (size > sizeBytesMax) return { fault: "the file has more than 1 MiB" };
    const text = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    return text === "" ? { fault: "the file is empty" } : { text, isOpen: !!(mode & othersCanUse) };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

function faultOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : "unknown";
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "is a folder, not a file";
  if (code === "EACCES") return `user ${userInfo().uid} may not read the file`;
  return `the file cannot be read (${code})`;
}
