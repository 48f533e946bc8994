import { readFile } from "node:fs/promises";
import { usageError } from "../../cli-error.ts";
import {
  type AdminNoun,
  itemsOf,
  option,
  pageOf,
  paging,
  parseTime,
  part,
  pick,
  reason,
  required,
} from "../admin-command.ts";

const path = (name: string | undefined) => `/cost-books/${part(name)}/versions`;

async function readDocument(file: unknown): Promise<unknown> {
  const text = await readFile(String(file), "utf8").catch(() => {
    throw usageError("The file of --file cannot be read.");
  });
  try {
    return JSON.parse(text);
  } catch {
    throw usageError("The file of --file is not JSON.");
  }
}

export const costs: AdminNoun = {
  name: "costs",
  about: "what vendor accounts charge",
  commands: [
    {
      usage: "list",
      does: "list the cost books with their newest version",
      request: () => ({ method: "GET", path: "/cost-books" }),
      rows: itemsOf,
      columns: ["vendorAccount", "version", "currency", "validFrom", "publishedAt"],
    },
    {
      usage: "show <vendorAccount>",
      does: "list the versions of a cost book, newest first; --json has their documents",
      options: paging(),
      request: ([name], options) => ({ method: "GET", path: path(name), query: pageOf(options) }),
      rows: itemsOf,
      columns: ["version", "validFrom", "publishedAt", "publishedBy", "reason"],
    },
    {
      usage: "publish <vendorAccount>",
      does: "publish the next version, which never changes",
      options: [
        required("--file <path>", "the file with the document, as JSON"),
        option(
          "--valid-from <time>",
          "since when it counts, such as 2030-12-31T12:00:00Z; now if left out",
        ).argParser(parseTime),
        reason(),
      ],
      request: async ([name], options) => ({
        method: "POST",
        path: path(name),
        body: {
          document: await readDocument(options["file"]),
          ...pick(options, { validFrom: "validFrom", reason: "reason" }),
        },
      }),
      next: () => "takes effect in every process within 5 s",
    },
  ],
};
