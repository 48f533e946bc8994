import type { SandboxControl } from "@zoetrope/dev/start-sandbox.ts";

export interface SandboxJob {
  id: string;
  status: string;
  prompt: string;
  callbackUrl: string | null;
}

/** The sandbox's own switches. */
export function controlSandbox({ url, token }: SandboxControl) {
  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${url}/_sandbox${path}`, { method, headers, ...sent });
    if (!response.ok)
      throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  }
  const post = (path: string, body: unknown) => call("POST", path, body);
  async function listJobs(): Promise<SandboxJob[]> {
    const jobs: SandboxJob[] = [];
    let after: number | null = 0;
    while (after !== null) {
      const page = (await call("GET", `/jobs?limit=1000&after=${after}`)) as {
        jobs: SandboxJob[];
        next: number | null;
      };
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
    /** Sets the fault of the vendor's next calls, unless their prompts have directives. */
    injectFault: (vendor: string, fault: string, times = 1) =>
      post("/faults", { fault, times, vendor }),
    clearFaults: () => call("DELETE", "/faults"),
    /** Ark accepts these keys from now on and no other. */
    acceptArkKeys: (keys: readonly string[]) => call("PUT", "/ark-keys", { keys }),
    readStats: async () => (await call("GET", "/stats")) as { creates: number },
  };
}
