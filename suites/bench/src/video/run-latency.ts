import { percentile } from "@zoetrope/testkit/percentile.ts";
import { checkOutPreviousRelease } from "@zoetrope/testkit/previous-release.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { type Latency, printLatency, tryLatency } from "./latency.ts";
import { startService } from "./start-service.ts";

const warmUpSeconds = 10;
const service = { files: { videoPath: null, imagePath: null }, accounts: 10 };

/**
 * Measures how soon a task's vendor is called when nothing else happens, beside another copy of the
 * server's package, by default the release before: one task a second on each, half a second apart.
 */
export async function runLatency(seconds: number, otherServerDir: string | null): Promise<void> {
  await using scratch = await makeScratch("release");
  const serverDir = otherServerDir ?? (await checkOutPreviousRelease(scratch.path)).serverDir;
  await using before = await startService({ ...service, serverDir });
  await using now = await startService({ ...service, serverDir: null });
  await tryLatency([before, now], warmUpSeconds);
  const [first, second] = await tryLatency([before, now], seconds);
  if (first === undefined || second === undefined) throw new Error("nothing was measured");
  printLatency("before", first);
  printLatency("now", second);
  const at = ({ submitted }: Latency, share: number) => percentile(submitted, share).toFixed(1);
  print(
    `p50_ms_before=${at(first, 0.5)} p50_ms=${at(second, 0.5)} p99_ms_before=${at(first, 0.99)} p99_ms=${at(second, 0.99)} tasks=${seconds}`,
  );
}
