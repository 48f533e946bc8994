import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";

/** Runs a scenario in a scratch folder, which is kept, and named before the last line, when it fails. */
export async function inScratch(
  name: string,
  run: (dir: string) => Promise<{ hasPassed: boolean; lastLine: string }>,
): Promise<boolean> {
  const scratch = await makeScratch(name);
  print(`${name}, in ${scratch.path}`);
  const { hasPassed, lastLine } = await run(scratch.path);
  if (hasPassed) await scratch.remove();
  else print(`Everything is kept in ${scratch.path}`);
  print(lastLine);
  return hasPassed;
}
