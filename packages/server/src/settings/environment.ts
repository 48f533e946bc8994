import { readSecretFiles } from "./secret-files.ts";
import { faultsOf, inPlainWords, refuseSettings, type Setting } from "./setting.ts";

export function readEnvironment(): Record<string, string | undefined> {
  // biome-ignore lint/style/noProcessEnv: the only reader of the environment
  return process.env;
}

/** One setting by itself, for commands. Null: it is not set. */
export function readSetting<Value>(setting: Setting<Value>): Value | null {
  const { environment, faults } = readSecretFiles([setting], readEnvironment());
  if (faults.length > 0) refuseSettings(faults);
  const raw = environment[setting.name];
  if (raw === undefined) return null;
  const { success, data, error } = setting.schema.safeParse(raw, { error: inPlainWords });
  return success ? data : refuseSettings(faultsOf(setting.name, error));
}
