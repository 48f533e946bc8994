import { readFile } from "node:fs/promises";
import { usageError } from "../../cli-error.ts";
import {
  type AdminNoun,
  type Answer,
  itemsOf,
  option,
  part,
  pick,
  required,
  whole,
} from "../admin-command.ts";

const path = (book: string | undefined) => `/price-books/${part(book)}`;

async function readDocument(file: unknown): Promise<unknown> {
  const text = await readFile(String(file), "utf8").catch(() => {
    throw usageError("The file of --file cannot be read.");
  });
  try {
    const read: unknown = JSON.parse(text);
    const isAnswer = typeof read === "object" && read !== null && "document" in read;
    return isAnswer ? read.document : read; // what `prices document --json` prints is taken as it is
  } catch {
    throw usageError("The file of --file is not JSON.");
  }
}

export const prices: AdminNoun = {
  name: "prices",
  about: "price books, their versions and drafts; drafts are published in the console",
  commands: [
    {
      usage: "list",
      does: "list the price books",
      request: () => ({ method: "GET", path: "/price-books" }),
      rows: itemsOf,
      columns: ["book", "description", "versions", "draft"],
    },
    {
      usage: "show <book>",
      does: "list the versions of a book; --json has the rates in force and the draft",
      request: ([book]) => ({ method: "GET", path: path(book) }),
      rows: (answer) => (answer["versions"] ?? []) as Answer[],
      columns: ["version", "state", "validFrom", "publishedBy", "reason"],
    },
    {
      usage: "document <book> <version>",
      does: "print the rates of a version, to write the next one from",
      request: ([book, version]) => ({
        method: "GET",
        path: `${path(book)}/versions/${part(version)}`,
      }),
    },
    {
      usage: "create <book>",
      does: "create a book, which sells nothing until a version is published",
      options: [option("--description <text>", "what it is for")],
      request: ([book], options) => ({
        method: "POST",
        path: "/price-books",
        body: { book, ...pick(options, { description: "description" }) },
      }),
      next: (_answer, [book]) => `zoetrope admin prices draft ${book} --file RATES.json`,
    },
    {
      usage: "draft <book>",
      does: "write the draft of the next version in place of the one before",
      options: [
        required("--file <path>", "JSON: for each model its rates by their keys, in credits"),
      ],
      request: async ([book], options) => ({
        method: "PUT",
        path: `${path(book)}/draft`,
        body: { document: await readDocument(options["file"]) },
      }),
      next: (_answer, [book]) => `zoetrope admin prices preview ${book}`,
    },
    {
      usage: "preview <book>",
      does: "price the newest finished tasks of a book again by its draft",
      options: [whole("--days <count>", "how old the tasks may be; 30 if left out")],
      request: ([book], options) => ({
        method: "GET",
        path: `${path(book)}/preview`,
        query: pick(options, { days: "days" }),
      }),
      rows: itemsOf,
      columns: ["model", "tasks", "creditsBefore", "creditsAfter", "refused"],
    },
    {
      usage: "drop <book>",
      does: "drop the draft of a book",
      request: ([book]) => ({ method: "DELETE", path: `${path(book)}/draft` }),
    },
  ],
};
