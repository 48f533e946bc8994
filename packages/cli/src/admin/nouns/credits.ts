import {
  type AdminCommand,
  type AdminNoun,
  itemsOf,
  option,
  pageOf,
  paging,
  parseLimit,
  parseTime,
  parseWhole,
  part,
  pick,
  pickLimits,
  required,
} from "../admin-command.ts";

const credits = (text: string) => required("--credits <credits>", text).argParser(parseWhole);

function asking(kind: "grant" | "adjust", usage: string, does: string): AdminCommand {
  return {
    usage,
    does,
    options: [
      credits(kind === "grant" ? "how many" : "how many; a deduction is written --credits=-5"),
      required("--note <text>", "why; the account sees it in its ledger"),
      ...(kind === "grant"
        ? [
            option(
              "--expires-at <time>",
              "when what is left of it expires; default: never",
            ).argParser(parseTime),
          ]
        : []),
      option("--idempotency-key <key>", "a repetition with the same key has no effect"),
    ],
    request: ([accountId], options) => ({
      method: "POST",
      path: "/grants",
      body: {
        accountId,
        kind,
        ...pick(options, { credits: "credits", reason: "note", expiresAt: "expiresAt" }),
      },
      accountId,
      idempotencyKey: (options["idempotencyKey"] as string | undefined) ?? crypto.randomUUID(),
    }),
    next: ({ status, grantId }) =>
      status === "pending"
        ? `have somebody else approve it within 7 days: zoetrope admin grants approve ${grantId}`
        : null,
  };
}

const decision = (verb: "approve" | "reject", does: string): AdminCommand => ({
  usage: `${verb} <grantId>`,
  does,
  options: [option("--reason <text>", "why; it stays in the audit")],
  request: ([id], options) => ({
    method: "POST",
    path: `/grants/${part(id)}/${verb}`,
    body: pick(options, { reason: "reason" }),
  }),
});

export const grants: AdminNoun = {
  name: "grants",
  about: "credits that operators give or take",
  commands: [
    {
      usage: "list",
      does: "list grants and adjustments, newest first",
      options: [
        option("--account <accountId>", "of one account"),
        option("--pending", "only those that wait for a second person"),
        ...paging(),
      ],
      request: (_args, options) => ({
        method: "GET",
        path: "/grants",
        query: {
          ...pageOf(options),
          ...pick(options, { accountId: "account", pending: "pending" }),
        },
        accountId: options["account"] as string | undefined,
      }),
      rows: itemsOf,
      columns: ["grantId", "accountId", "kind", "credits", "status", "askedBy", "reason"],
    },
    {
      usage: "show <grantId>",
      does: "show a grant",
      request: ([id]) => ({ method: "GET", path: `/grants/${part(id)}` }),
    },
    asking(
      "grant",
      "create <accountId>",
      "grant credits; above the daily limit a second person must approve",
    ),
    asking(
      "adjust",
      "adjust <accountId>",
      "correct a balance, up or down; above the daily limit a second person must approve",
    ),
    decision("approve", "approve the request of another operator"),
    decision("reject", "reject a pending grant, or withdraw your own"),
  ],
};

export const grantLimit: AdminNoun = {
  name: "grant-limit",
  about: "how many credits one person may move alone in 24 hours",
  commands: [
    {
      usage: "show",
      does: "show the limit and a pending higher one",
      request: () => ({ method: "GET", path: "/grant-limit" }),
    },
    {
      usage: "set",
      does: "change the limit; a second person must approve a higher one",
      options: [credits("the limit, or none").argParser(parseLimit)],
      request: (_args, options) => ({
        method: "PUT",
        path: "/grant-limit",
        body: pickLimits(options, { credits: "credits" }),
      }),
    },
    {
      usage: "approve",
      does: "approve a higher limit that another operator requested",
      request: () => ({ method: "POST", path: "/grant-limit/approve" }),
    },
    {
      usage: "reject",
      does: "reject a pending higher limit, or withdraw your own",
      request: () => ({ method: "POST", path: "/grant-limit/reject" }),
    },
  ],
};
