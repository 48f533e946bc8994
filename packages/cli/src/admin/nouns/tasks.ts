import {
  type AdminNoun,
  type Answer,
  itemsOf,
  option,
  pageOf,
  paging,
  part,
  pick,
  reason,
} from "../admin-command.ts";

export const tasks: AdminNoun = {
  name: "tasks",
  about: "tasks of every account",
  commands: [
    {
      usage: "list",
      does: "find tasks by account, id, vendor job or output",
      options: [
        option("--account <accountId>", "the newest tasks of an account"),
        option("--task <taskId>", "one task"),
        option("--vendor-job <jobId>", "the vendor's id of its job"),
        option("--sha256 <hash>", "of an output of the task"),
        ...paging(),
      ],
      request: (_args, options) => ({
        method: "GET",
        path: "/tasks",
        query: {
          ...pageOf(options),
          ...pick(options, {
            accountId: "account",
            taskId: "task",
            vendorJobId: "vendorJob",
            sha256: "sha256",
          }),
        },
        accountId: options["account"] as string | undefined,
      }),
      rows: itemsOf,
      columns: [
        "taskId",
        "accountId",
        "model",
        "status",
        "errorCode",
        "credits",
        "vendorAccount",
        "createdAt",
      ],
    },
    {
      usage: "show <taskId>",
      does: "show what happened to a task, with every submit and the vendor's response",
      request: ([id]) => ({ method: "GET", path: `/tasks/${part(id)}/timeline` }),
      rows: ({ entries }) => (entries ?? []) as Answer[],
      columns: [
        "event",
        "state",
        "from",
        "to",
        "outcome",
        "vendorAccount",
        "vendorJobId",
        "detail",
      ],
    },
    {
      usage: "segments <taskId>",
      does: "show the progress of the segments of an upscale, or why one was given up",
      request: ([id]) => ({ method: "GET", path: `/tasks/${part(id)}/segments` }),
      rows: itemsOf,
      columns: ["number", "framesDone", "frames", "vendorJobId", "failure"],
    },
    {
      usage: "fail <taskId>",
      does: "end a running task as failed: its hold is released and its vendor job canceled",
      options: [reason()],
      request: ([id], options) => ({
        method: "POST",
        path: `/tasks/${part(id)}/fail`,
        body: pick(options, { reason: "reason" }),
      }),
    },
  ],
};
