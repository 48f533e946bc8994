import {
  type AdminCommand,
  type AdminNoun,
  type Answer,
  itemsOf,
  option,
  parseWhole,
  pick,
  required,
  whole,
} from "../admin-command.ts";

/** Decides on an asset. The API takes a verdict only from the person who has claimed the asset. */
function judging(
  verb: "approve" | "refuse",
  command: Pick<AdminCommand, "does" | "options">,
  fields: Readonly<Record<string, string>>,
): AdminCommand {
  return {
    usage: `${verb} <assetId>`,
    ...command,
    request: async ([id = ""], options, call) => {
      const assetId = parseWhole(id);
      await call({ method: "POST", path: "/review/claim", body: { assetId } });
      const body = { assetId, ...pick(options, fields) };
      return { method: "POST", path: `/review/${verb}`, body };
    },
  };
}

export const assets: AdminNoun = {
  name: "assets",
  about: "the review of assets by people",
  commands: [
    {
      usage: "waiting",
      does: "list the assets that a person has to review, oldest first",
      options: [
        whole("--limit <count>", "items of a page"),
        option("--cursor <cursor>", "nextCursor of the page before"),
      ],
      request: (_args, options) => ({
        method: "GET",
        path: "/review",
        query: pick(options, { limit: "limit", cursor: "cursor" }),
      }),
      rows: itemsOf,
      columns: ["assetId", "type", "contentType", "waitingSince", "account", "claim"],
    },
    {
      usage: "reasons",
      does: "list the codes of a refusal",
      request: () => ({ method: "GET", path: "/review/reasons" }),
      rows: ({ reasons }) => (reasons ?? []) as Answer[],
      columns: ["code", "titles", "isAtOnce", "needsText"],
    },
    {
      usage: "claim <assetId>",
      does: "claim an asset and show its details",
      request: ([id = ""]) => ({
        method: "POST",
        path: "/review/claim",
        body: { assetId: parseWhole(id) },
      }),
    },
    {
      usage: "file <assetId>",
      does: "write the file of an asset that you have claimed",
      options: [required("-o, --output <path>", "where to")],
      request: ([id]) => ({ method: "GET", path: "/review/media", query: { assetId: id } }),
    },
    judging(
      "approve",
      { does: "approve an asset", options: [option("--note <text>", "for the record")] },
      { text: "note" },
    ),
    judging(
      "refuse",
      {
        does: "refuse an asset; it takes effect in 10 minutes, the code illegal at once",
        options: [
          required("--code <code>", "one of 'assets reasons'"),
          option("--reason <text>", "for the record; some codes need it"),
        ],
      },
      { code: "code", text: "reason" },
    ),
    {
      usage: "undo <assetId>",
      does: "take back your decision within 10 minutes",
      request: ([id = ""]) => ({
        method: "POST",
        path: "/review/undo",
        body: { assetId: parseWhole(id) },
      }),
    },
    {
      usage: "revoke <assetId>",
      does: "revoke an asset that passed: new tasks refuse it immediately",
      options: [required("--reason <text>", "why; it stays in the record")],
      request: ([id = ""], options) => ({
        method: "POST",
        path: "/review/revoke",
        body: { assetId: parseWhole(id), ...pick(options, { reason: "reason" }) },
      }),
    },
  ],
};
