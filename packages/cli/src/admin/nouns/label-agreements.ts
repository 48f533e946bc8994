import { readFile } from "node:fs/promises";
import { usageError } from "../../cli-error.ts";
import {
  type AdminNoun,
  itemsOf,
  pageOf,
  paging,
  parseTime,
  part,
  pick,
  reason,
  required,
} from "../admin-command.ts";

const path = (accountId: string | undefined) => `/accounts/${part(accountId)}/label-agreements`;

/** A text of this length is no argument. */
async function readAgreement(file: unknown): Promise<string> {
  return readFile(String(file), "utf8").catch(() => {
    throw usageError("The file of --text-file cannot be read.");
  });
}

export const labelAgreements: AdminNoun = {
  name: "label-agreements",
  about: "agreements that free an account from the visible label",
  commands: [
    {
      usage: "list <accountId>",
      does: "list the agreements of an account, newest first; --json has their texts",
      options: paging(),
      request: ([id], options) => ({ method: "GET", path: path(id), query: pageOf(options) }),
      rows: itemsOf,
      columns: ["agreementId", "agreedBy", "agreedAt", "sha256", "recordedBy", "endedAt"],
    },
    {
      usage: "record <accountId>",
      does: "record an agreement that puts the duty to label on the customer",
      options: [
        required("--agreed-by <who>", "who agreed for the customer: the person and the company"),
        required("--agreed-at <time>", "when, such as 2030-12-31T12:00:00Z").argParser(parseTime),
        required("--text-file <path>", "the file with the text that was agreed on"),
      ],
      request: async ([id], options) => ({
        method: "POST",
        path: path(id),
        body: {
          ...pick(options, { agreedBy: "agreedBy", agreedAt: "agreedAt" }),
          text: await readAgreement(options["textFile"]),
        },
      }),
    },
    {
      usage: "end <accountId> <agreementId>",
      does: "end an agreement: new outputs get the visible label",
      options: [reason()],
      request: ([id, agreementId], options) => ({
        method: "POST",
        path: `${path(id)}/${part(agreementId)}/end`,
        body: pick(options, { reason: "reason" }),
      }),
    },
    {
      usage: "outputs <accountId>",
      does: "list what was delivered without the visible label, newest tasks first",
      options: paging(),
      request: ([id], options) => ({
        method: "GET",
        path: `/accounts/${part(id)}/freed-outputs`,
        query: pageOf(options),
      }),
      rows: itemsOf,
      columns: ["taskId", "number", "sha256", "agreementId", "deliveredAt"],
    },
  ],
};
