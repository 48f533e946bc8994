import type { OpenedAccount } from "@zoetrope/dev/open-accounts.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import type { SandboxControl } from "@zoetrope/dev/start-sandbox.ts";
import { controlSandbox } from "@zoetrope/testkit/sandbox-control.ts";
import { createTasks } from "../../kit/create-tasks.ts";
import type { Accepted } from "../outages/load.ts";
import type { TaskRequest } from "../outages/requests.ts";

const submitMsMax = 600_000;
/** Above the numbers of the requests that come meanwhile. */
const firstNumber = 1_000_000;

/** Tasks whose vendor has taken them and does not end them before it is ordered to. */
export interface WaitingTasks {
  readonly accepted: readonly Accepted[];
  /** The vendor ends so many more of them. */
  end(count: number): Promise<void>;
}

export async function createWaitingTasks(options: {
  apiUrl: string;
  sandboxControl: SandboxControl;
  receiverUrl: string;
  accounts: readonly OpenedAccount[];
  count: number;
}): Promise<WaitingTasks> {
  const { apiUrl, accounts, receiverUrl, count } = options;
  const requests = Array.from({ length: count }, (_, number) => requestOf(number, receiverUrl));
  const bodies = requests.map(({ body }) => body);
  const taskIds = await createTasks(apiUrl, accounts, bodies);
  const accepted = taskIds.map((taskId, at): Accepted => {
    const account = accounts[at % accounts.length] as OpenedAccount;
    return { taskId, account, request: requests[at] as TaskRequest };
  });
  const sandbox = controlSandbox(options.sandboxControl);
  const waiting = await jobsOf(sandbox, new Set(taskIds));
  return {
    accepted,
    async end(some) {
      for (const jobId of waiting.splice(0, some)) await sandbox.finish(jobId, "succeeded");
    },
  };
}

function requestOf(number: number, receiverUrl: string): TaskRequest {
  const key = `waiting-${number}`;
  const inputs = { prompt: "A tortoise asleep [sandbox:hang]", duration: "4s" };
  const callBackUrl = `${receiverUrl}/hooks/well/${key}`;
  return {
    number: firstNumber + number,
    key,
    path: "/api/v1/jobs/createTask",
    body: { model: "sd2", inputs: { ...inputs, generateAudio: false }, callBackUrl },
  };
}

/** Returns their jobs, once the vendor has them all. */
async function jobsOf(
  sandbox: ReturnType<typeof controlSandbox>,
  taskIds: ReadonlySet<string>,
): Promise<string[]> {
  let jobIds: string[] = [];
  const areThere = async () => {
    const jobs = await sandbox.listJobs();
    const theirs = jobs.filter(({ callbackUrl }) => taskIds.has(taskIdIn(callbackUrl)));
    jobIds = theirs.map(({ id }) => id);
    return jobIds.length >= taskIds.size;
  };
  await waitUntil("the vendor has every waiting task", areThere, { timeoutMs: submitMsMax });
  return jobIds;
}

const taskIdIn = (callbackUrl: string | null) => callbackUrl?.split("/").at(-2) ?? "";
