import { delimiter } from "node:path";
import { ownEnv } from "./own-env.ts";

/** The directories of PATH. */
export function pathDirs(): string[] {
  return (ownEnv("PATH") ?? "").split(delimiter).filter((dir) => dir !== "");
}
