import { setTimeout as pause } from "node:timers/promises";
import { createOutage, type Log } from "../log.ts";
import type { Db } from "./database.ts";
import { createProcessReport, type LoopReport, reportEveryMs } from "./processes.ts";

/** Reports this process until closed. A report that fails is missing, and costs nothing else. */
export function reportProcess(
  { db, log }: { db: Db; log: Log },
  about: { role: string; version: string; listLoops(): LoopReport[] },
): { close(): Promise<void> } {
  const report = createProcessReport(db, about.role, about.version);
  const outage = createOutage(log, {
    failed: "process.unreported",
    over: "process.reported",
    level: "warn",
  });
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await report(about.listLoops()).then(outage.end, outage.note);
      await pause(reportEveryMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    async close() {
      stopping.abort();
      await running;
    },
  };
}
