import { Option } from "commander";
import {
  type AdminNoun,
  itemsOf,
  list,
  option,
  pageOf,
  paging,
  part,
  pick,
  reason,
  required,
  whole,
} from "../admin-command.ts";

const bytesPerMegabyte = 1024 * 1024;
const schedule = (...more: string[]) =>
  new Option("--schedule <schedule>", "the price schedule").choices(["A", "B", ...more]);

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
      options: [schedule(), whole("--open-tasks-max <count>", "tasks at the same time")],
      request: ([name], options) => ({
        method: "POST",
        path: "/accounts",
        body: {
          name,
          ...pick(options, { priceSchedule: "schedule", openTasksMax: "openTasksMax" }),
        },
      }),
      next: ({ accountId }) => `zoetrope admin grants create ${accountId} --credits N --note TEXT`,
    },
    {
      usage: "change <accountId>",
      does: "change the name, prices or limits of an account; omitted ones keep their value",
      options: [
        option("--name <text>", "the name"),
        schedule("default"),
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
            priceSchedule: "schedule",
            openTasksMax: "openTasksMax",
            webhookTailHours: "tailHours",
            testMode: "testMode",
            openAssetsMax: "openAssetsMax",
            openUploadsMax: "openUploadsMax",
          }),
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
