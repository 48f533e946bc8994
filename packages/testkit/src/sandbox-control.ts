export interface SandboxJob {
  id: string;
  status: string;
  prompt: string;
  callbackUrl: string | null;
}

/** The sandbox's own switches. */
export function controlSandbox(sandboxUrl: string) {
  const base = `${sandboxUrl}/_sandbox`;
  async function post(path: string, body: unknown): Promise<void> {
    const headers = { "content-type": "application/json" };
    const response = await fetch(base + path, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok)
      throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  }
  async function listJobs(): Promise<SandboxJob[]> {
    const jobs: SandboxJob[] = [];
    let after: number | null = 0;
    while (after !== null) {
      const response = await fetch(`${base}/jobs?limit=1000&after=${after}`);
      const page = (await response.json()) as { jobs: SandboxJob[]; next: number | null };
      jobs.push(...page.jobs);
      after = page.next;
    }
    return jobs;
  }
  return {
    listJobs,
    /** The jobs that were accepted for a task: its id is in the callback's address. */
    jobsOf: async (taskId: string) =>
      (await listJobs()).filter((job) => job.callbackUrl?.includes(taskId)),
    finish: (jobId: string, status: "succeeded" | "failed" | "expired") =>
      post(`/jobs/${jobId}/finish`, { status }),
    repeatCallback: (jobId: string) => post(`/jobs/${jobId}/callback`, {}),
    /** What becomes of the vendor's next calls, unless their prompts have directives. */
    injectFault: (vendor: string, fault: string, times = 1) =>
      post("/faults", { fault, times, vendor }),
    clearFaults: () => fetch(`${base}/faults`, { method: "DELETE" }),
  };
}
