import { InvalidArgumentError, Option } from "commander";
import {
  type AdminNoun,
  itemsOf,
  list,
  type Options,
  option,
  pageOf,
  paging,
  parseTime,
  part,
  pick,
  reason,
  required,
  whole,
} from "../admin-command.ts";

const bytesPerMegabyte = 1024 * 1024;
/** Of `--price-book` and `--discount`: back to what an account without its own has. */
const none = "none";
const priceBook = (more = "") => option("--price-book <name>", `the price book, such as A${more}`);

/** Per cent as hundredths of them. */
function parseDiscount(text: string): number | typeof none {
  if (text === none) return none;
  const [, whole = "", part = ""] = /^(\d{1,2})(?:\.(\d{1,2}))?%?$/.exec(text) ?? [];
  const basisPoints = Number(whole) * 100 + Number(part.padEnd(2, "0"));
  if (whole === "" || basisPoints === 0)
    throw new InvalidArgumentError("It must be more than 0 and less than 100 per cent, or none.");
  return basisPoints;
}

function pickTerms({ priceBook, discount, discountUntil }: Options) {
  return {
    ...(priceBook === undefined ? {} : { priceBook: priceBook === none ? null : priceBook }),
    ...(discount === undefined
      ? {}
      : { discount: discount === none ? null : { basisPoints: discount, until: discountUntil } }),
  };
}

export const accounts: AdminNoun = {
  name: "accounts",
  about: "customers' accounts",
  commands: [
    {
      usage: "list",
      does: "list accounts, newest first, or by the beginning of their name",
      options: [
        option("--name <text>", "the beginning of the name, in any case"),
        option("--suspended", "suspended accounts only"),
        ...paging(),
      ],
      request: (_args, options) => ({
        method: "GET",
        path: "/accounts",
        query: {
          ...pageOf(options),
          ...pick(options, { name: "name", suspended: "suspended" }),
        },
      }),
      rows: itemsOf,
      columns: ["accountId", "name", "state", "credits", "availableCredits", "createdAt"],
    },
    {
      usage: "show <accountId>",
      does: "show an account with its limits, people and newest notes",
      request: ([id]) => ({ method: "GET", path: `/accounts/${part(id)}` }),
    },
    {
      usage: "create <name>",
      does: "create an account and print the secret that signs its callbacks",
      options: [priceBook(), whole("--open-tasks-max <count>", "tasks at the same time")],
      request: ([name], options) => ({
        method: "POST",
        path: "/accounts",
        body: {
          name,
          ...pick(options, { priceBook: "priceBook", openTasksMax: "openTasksMax" }),
        },
      }),
      next: ({ accountId }) => `zoetrope admin grants create ${accountId} --credits N --note TEXT`,
    },
    {
      usage: "change <accountId>",
      does: "change the name, prices or limits of an account; omitted ones keep their value",
      options: [
        option("--name <text>", "the name"),
        priceBook("; none: that of the deployment"),
        option(
          "--discount <per cent>",
          "off every price, such as 12.5; none: no discount",
        ).argParser(parseDiscount),
        option("--discount-until <time>", "when it ends, such as 2030-12-31T12:00:00Z").argParser(
          parseTime,
        ),
        whole("--open-tasks-max <count>", "tasks at the same time"),
        whole("--tail-hours <hours>", "how long callbacks are retried after four attempts"),
        new Option("--test-mode <state>", "whether test keys are accepted").choices(["on", "off"]),
        whole("--open-assets-max <count>", "assets in review"),
        whole("--open-uploads-max <count>", "uploads in parts"),
        whole("--stored-megabytes-max <count>", "stored copies of assets"),
      ],
      request: ([id], options) => ({
        method: "PATCH",
        path: `/accounts/${part(id)}`,
        body: {
          ...pick(options, {
            name: "name",
            openTasksMax: "openTasksMax",
            webhookTailHours: "tailHours",
            testMode: "testMode",
            openAssetsMax: "openAssetsMax",
            openUploadsMax: "openUploadsMax",
          }),
          ...pickTerms(options),
          ...(typeof options["storedMegabytesMax"] === "number"
            ? { storedBytesMax: options["storedMegabytesMax"] * bytesPerMegabyte }
            : {}),
        },
      }),
    },
    {
      usage: "suspend <accountId>",
      does: "accept nothing new from an account; running tasks finish",
      options: [reason()],
      request: ([id], options) => ({
        method: "POST",
        path: `/accounts/${part(id)}/suspend`,
        body: pick(options, { reason: "reason" }),
      }),
    },
    {
      usage: "resume <accountId>",
      does: "end a suspension",
      options: [reason()],
      request: ([id], options) => ({
        method: "POST",
        path: `/accounts/${part(id)}/resume`,
        body: pick(options, { reason: "reason" }),
      }),
    },
    {
      usage: "note <accountId> <text>",
      does: "add a note that only staff can read",
      request: ([id, note]) => ({
        method: "POST",
        path: `/accounts/${part(id)}/notes`,
        body: { note },
      }),
    },
  ],
};

export const keys: AdminNoun = {
  name: "keys",
  about: "API keys of an account",
  commands: [
    {
      usage: "list <accountId>",
      does: "list the keys of an account and of its test account, newest first",
      options: paging(),
      request: ([id], options) => ({
        method: "GET",
        path: `/accounts/${part(id)}/keys`,
        query: pageOf(options),
      }),
      rows: itemsOf,
      columns: ["keyId", "name", "hint", "mode", "status", "scopes", "creditsLeft", "lastUsedAt"],
    },
    {
      usage: "create <accountId>",
      does: "create a key and print it, once",
      options: [
        required("--name <text>", "to recognise it by"),
        list("--scopes <list>", "tasks,assets,webhooks,account,keys,read (default: all but keys)"),
        list("--models <list>", "certain models only"),
        whole("--budget <credits>", "the most that its tasks may cost in total"),
        whole("--requests-per-minute <count>", "its rate"),
        option("--expires <time>", "such as 2030-12-31T00:00:00Z"),
        option("--test", "a key of the test account, which runs on the sandbox"),
      ],
      request: ([id], options) => ({
        method: "POST",
        path: `/accounts/${part(id)}/keys`,
        body: {
          ...pick(options, {
            name: "name",
            scopes: "scopes",
            models: "models",
            creditsMax: "budget",
            requestsPerMinuteMax: "requestsPerMinute",
            expiresAt: "expires",
          }),
          ...(options["test"] === true ? { mode: "test" } : {}),
        },
      }),
      next: () => "store the key in a safe place: it is not shown again",
    },
    {
      usage: "revoke <accountId> <keyId>",
      does: "end a key",
      request: ([id, keyId]) => ({
        method: "DELETE",
        path: `/accounts/${part(id)}/keys/${part(keyId)}`,
      }),
    },
  ],
};
