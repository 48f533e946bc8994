import { runCreate } from "./create/run-create.ts";
import { runLabels } from "./labels/run-labels.ts";
import { runLists } from "./lists/run-lists.ts";
import { runPoisoned } from "./poisoned/run-poisoned.ts";
import { runPooler } from "./pooler/run-pooler.ts";
import { runRules } from "./rules.ts";
import { runQuality } from "./upscale/run-quality.ts";
import { runUpscale } from "./upscale/run-upscale.ts";
import { runVerify } from "./verify/run-verify.ts";
import { runLatency } from "./video/run-latency.ts";
import { runVideo } from "./video/run-video.ts";
import { runWaiters } from "./waiters/run-waiters.ts";

/** A suite, with what follows its name on the command line. */
type Suite = (argument: string | undefined, more: string | null) => Promise<void> | void;

/** Every suite by its name. */
export const suites: Readonly<Record<string, Suite>> = {
  create: (seconds) => runCreate(Number(seconds ?? 600)),
  labels: (rounds) => runLabels(Number(rounds ?? 3)),
  latency: (seconds, dir) => runLatency(Number(seconds ?? 120), dir),
  lists: (tasks, path) => runLists(listOptions(Number(tasks ?? 10_000_000), path)),
  poisoned: (rounds) => runPoisoned(Number(rounds ?? 20)),
  pooler: (processes) => runPooler(Number(processes ?? 8)),
  rules: () => runRules(),
  upscale: (seconds) => runUpscale(Number(seconds ?? 60)),
  "upscale-quality": () => runQuality(),
  verify: (prints) => runVerify(Number(prints ?? 1_000_000)),
  video: (rounds, dir) => runVideo(Number(rounds ?? 3), dir),
  waiters: (clients) => runWaiters(Number(clients ?? 10_000)),
};

/** A short run says whether it works; a long one what it costs. */
function listOptions(many: number, file: string | null) {
  const seconds = many < 1_000_000 ? 3 : 15;
  return { many, few: Math.max(1_000, Math.round(many / 100)), seconds, plansFile: file };
}
