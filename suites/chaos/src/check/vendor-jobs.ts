import { requestsOf } from "../kit/client-log.ts";
import type { Evidence, VendorLine, Violation } from "./evidence.ts";

/**
 * Checks I11: the vendor accepted at most one job per task, and none for an unknown task; a
 * completed task has one job that succeeded. The callback URL of a job names its task:
 * /vendors/<account>/<task>/<token>.
 */
export function checkVendorJobs(evidence: Evidence): Violation[] {
  const { rows, vendor } = evidence;
  const violations: Violation[] = [];
  const tasks = new Set(rows.tasks.map((task) => task.id));
  const jobsOf = jobsByTask(vendor);
  for (const [taskId, jobIds] of jobsOf) {
    if (jobIds.length > 1)
      violations.push({ what: `task ${taskId} has ${jobIds.length} jobs`, rows: jobIds });
    if (!tasks.has(taskId))
      violations.push({ what: `a job for task ${taskId}, which does not exist`, rows: jobIds });
  }
  const succeeded = succeededJobs(vendor);
  for (const task of rows.tasks) {
    if (task.status !== "COMPLETED" || task.kind !== "generation") continue;
    if (!(jobsOf.get(task.id) ?? []).some((jobId) => succeeded.has(jobId)))
      violations.push({ what: `task ${task.id} completed without a job of its own`, rows: [task] });
  }
  return [...violations, ...exchangedVideos(evidence)];
}

/** The sandbox renders equal requests to equal frames: other ones are of another task's video. */
function exchangedVideos({ rows, clients, objects }: Evidence): Violation[] {
  const requests = requestsOf(clients);
  const videoOf = new Map<string, string>();
  const requestOf = new Map<string, string>();
  return rows.tasks.flatMap((task): Violation[] => {
    const request = requests.get(task.id);
    const sha256 = objects.get(task.output?.[0]?.key ?? "")?.dataSha256;
    if (request === undefined || !sha256) return [];
    const wanted = `${request.model} ${request.prompt} ${request.outputResolution} ${request.seconds}`;
    const isSame = (videoOf.get(wanted) ?? sha256) === sha256;
    const isOnly = (requestOf.get(sha256) ?? wanted) === wanted;
    videoOf.set(wanted, sha256);
    requestOf.set(sha256, wanted);
    if (isSame && isOnly) return [];
    return [{ what: `task ${task.id} has the video of another request`, rows: [request, task] }];
  });
}

export function jobsByTask(vendor: VendorLine[]): Map<string, string[]> {
  const jobs = new Map<string, string[]>();
  for (const line of vendor) {
    if (line.event !== "create" || !line.accepted || line.jobId === null) continue;
    const taskId = line.callbackUrl?.match(/\/vendors\/[^/]+\/([^/]+)\//)?.[1] ?? "unknown";
    jobs.set(taskId, [...(jobs.get(taskId) ?? []), line.jobId]);
  }
  return jobs;
}

export function succeededJobs(vendor: VendorLine[]): Set<string> {
  return new Set(
    vendor.flatMap((line) =>
      line.event === "status" && line.to === "succeeded" ? line.jobId : [],
    ),
  );
}
