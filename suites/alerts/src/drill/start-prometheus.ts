import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findPrograms } from "@zoetrope/dev/services/find-program.ts";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { answersHttp, type RunningProcess, startProcess } from "@zoetrope/dev/services/process.ts";
import { durationOf, renderRules } from "../alerts/render-rules.ts";
import { renderPrometheusConfig, type Targets } from "../prometheus-config.ts";

export interface Prometheus extends AsyncDisposable {
  readonly url: string;
  readonly process: RunningProcess;
  /** Sets the targets that it scrapes from now on. */
  scrape(targets: Targets): Promise<void>;
}

/** A real Prometheus with the committed rules, whose times are divided by `times`. */
export async function startPrometheus(
  dir: string,
  targets: Targets,
  { times, everyMs }: { times: number; everyMs: number },
): Promise<Prometheus> {
  const { prometheus } = await findPrograms(["prometheus"]);
  const configFile = join(dir, "prometheus.yml");
  const rulesFile = join(dir, "alerts.yml");
  const write = (now: Targets) =>
    writeFile(configFile, renderPrometheusConfig(now, { every: `${everyMs}ms`, rulesFile }));
  await writeFile(rulesFile, renderRules(durationOf(times)));
  await write(targets);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = await startProcess({
    name: "prometheus",
    command: prometheus,
    args: [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${join(dir, "prometheus")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--web.enable-lifecycle",
      "--log.level=warn",
    ],
    cwd: dir,
    logFile: join(dir, "logs", "prometheus.log"),
    isReady: answersHttp(`${url}/-/ready`),
  });
  return {
    url,
    process: running,
    async scrape(now) {
      await write(now);
      const response = await fetch(`${url}/-/reload`, { method: "POST" });
      if (!response.ok) throw new Error(`Prometheus refuses the configuration: ${response.status}`);
    },
    [Symbol.asyncDispose]: () => running.stop(),
  };
}
