import {
  type AdminNoun,
  itemsOf,
  option,
  pageOf,
  paging,
  pick,
  required,
} from "../admin-command.ts";

export const audit: AdminNoun = {
  name: "audit",
  about: "who changed what",
  commands: [
    {
      usage: "list",
      does: "list changes, newest first",
      options: [
        option("--account <accountId>", "of an account"),
        option("--person <personId>", "by a person, including their service keys"),
        option("--action <action>", "the beginning of the action, such as key or vendor.pause"),
        ...paging(),
      ],
      request: (_args, options) => ({
        method: "GET",
        path: "/audit",
        query: {
          ...pageOf(options),
          ...pick(options, { accountId: "account", personId: "person", action: "action" }),
        },
        accountId: options["account"] as string | undefined,
      }),
      rows: itemsOf,
      columns: ["time", "actor", "action", "object", "accountId", "before", "after", "reason"],
    },
  ],
};

export const stuck: AdminNoun = {
  name: "stuck",
  about: "rows that a worker loop cannot process",
  commands: [
    {
      usage: "list",
      does: "list them; the loop no longer retries a row that is parked",
      request: () => ({ method: "GET", path: "/stuck-rows" }),
      rows: itemsOf,
      columns: ["loop", "key", "accountId", "since", "failures", "parkedAt", "reason"],
      next: (answer) => {
        const [first] = itemsOf(answer);
        return first === undefined
          ? null
          : `fix the cause, then: zoetrope admin stuck retry "${first["loop"]}" --key ${first["key"]}`;
      },
    },
    {
      usage: "retry <loop>",
      does: "retry a row, or all rows of the loop, now",
      options: [option("--key <key>", "of one row")],
      request: ([loop], options) => ({
        method: "POST",
        path: "/stuck-rows/retry",
        body: { loop, ...pick(options, { key: "key" }) },
      }),
      next: () => "rows that still fail are listed again in a minute: zoetrope admin stuck list",
    },
    {
      usage: "drop <loop>",
      does: "abandon a row: a task fails and its hold is released, a delivery is given up",
      options: [required("--key <key>", "of the row")],
      request: ([loop], options) => ({
        method: "POST",
        path: "/stuck-rows/drop",
        body: { loop, ...pick(options, { key: "key" }) },
      }),
    },
  ],
};

export const system: AdminNoun = {
  name: "system",
  about: "processes, queues and dependencies",
  commands: [
    {
      usage: "show",
      does: "show processes, queues and reachable dependencies",
      request: () => ({ method: "GET", path: "/system" }),
    },
    {
      usage: "partitions",
      does: "list when each partition of the engine last ran a test invocation",
      request: () => ({ method: "GET", path: "/engine-partitions" }),
      rows: itemsOf,
      columns: ["partition", "askedAt", "answeredAt", "silentSeconds", "isSilent"],
      next: (answer) => {
        const silent = itemsOf(answer).filter(({ isSilent }) => isSilent === true).length;
        return silent === 0
          ? null
          : `${silent} partitions do not run what they accept: docs/engine-cluster.md says what to do`;
      },
    },
    {
      usage: "hosts",
      does: "list hosts and webhook endpoints with failing callbacks",
      request: () => ({ method: "GET", path: "/deliveries/hosts" }),
      rows: itemsOf,
      columns: ["host", "failing", "givenUp", "accounts", "since", "lastStatus", "lastReason"],
    },
  ],
};

export const ledger: AdminNoun = {
  name: "ledger",
  about: "checks of the whole ledger by a worker",
  commands: [
    {
      usage: "checks",
      does: "list the newest checks",
      request: () => ({ method: "GET", path: "/ledger-checks" }),
      rows: itemsOf,
      columns: ["checkId", "askedAt", "finishedAt", "transfers", "tasks", "breaches", "failure"],
    },
    {
      usage: "check",
      does: "have a worker check the ledger",
      request: () => ({ method: "POST", path: "/ledger-checks" }),
      next: () => "see the result with: zoetrope admin ledger checks",
    },
  ],
};
