import { homedir } from "node:os";
import { join } from "node:path";

/** A variable of the environment; one that is empty counts as not set. */
export function variable(name: string): string | undefined {
  // biome-ignore lint/style/noProcessEnv: the only place that reads it
  const value = process.env[name];
  return value === "" ? undefined : value;
}

export function configDir(): string {
  return join(variable("XDG_CONFIG_HOME") ?? join(homedir(), ".config"), "zoetrope");
}

export function cacheDir(): string {
  return join(variable("XDG_CACHE_HOME") ?? join(homedir(), ".cache"), "zoetrope");
}
