import type { Evidence } from "../../check/evidence.ts";
import { unreferencedObjects } from "../../check/objects.ts";
import { jobsByTask, succeededJobs } from "../../check/vendor-jobs.ts";
import { requestsOf } from "../../kit/client-log.ts";

/** Returns the outcomes of the tasks, by the sandbox directives in their prompts. */
export function outcomeLines({ rows, clients }: Evidence): string[] {
  const requests = requestsOf(clients);
  const byDirectives = Map.groupBy(
    rows.tasks,
    (task) => requests.get(task.id)?.directives || "plain",
  );
  return [...byDirectives].map(([directives, tasks]) => {
    const ends = Map.groupBy(tasks, (task) => task.errorCode ?? task.status);
    const counts = [...ends].map(([end, ended]) => `${end} ${ended.length}`).sort();
    const name = directives.replaceAll(/\[sandbox:([a-zA-Z0-9-]+)[^\]]*\]/g, " $1").trim();
    return `${name.padEnd(16)} ${counts.join(", ")}`;
  });
}

/** Returns remarks that are no violation and still worth knowing. */
export function remarks(evidence: Evidence): string[] {
  const jobs = jobsByTask(evidence.vendor);
  const succeeded = succeededJobs(evidence.vendor);
  const wasted = evidence.rows.tasks.filter(
    (task) => task.status === "FAILED" && jobs.get(task.id)?.some((job) => succeeded.has(job)),
  );
  const unusable = (code: string | null) => code === "output_unusable";
  const lost = wasted.filter((task) => !unusable(task.errorCode));
  const unreferenced = unreferencedObjects(evidence);
  return [
    `${lost.length} tasks failed although the vendor made their video: ${lost
      .map((task) => `${task.id} ${task.errorCode}`)
      .join(", ")}`,
    `${unreferenced.length} objects in storage belong to no task`,
  ].filter((line) => !line.startsWith("0 "));
}
