import { readFile } from "node:fs/promises";
import { text as readText } from "node:stream/consumers";
import { usageError } from "../../cli-error.ts";
import {
  type AdminCommand,
  type AdminNoun,
  itemsOf,
  list,
  type Options,
  option,
  parseJson,
  parseLimit,
  part,
  pick,
  pickLimits,
  required,
  whole,
} from "../admin-command.ts";

const everywhere = "takes effect in every process within 5 s";
const keyFile = () => option("--key-file <path>", "the file with the key (default: stdin)");
const why = () => option("--reason <text>", "why; it stays in the audit");
const unchecked = () => option("--unchecked", "store the key without the test call");

/** Never from the command line, which every user of the machine can see. */
async function readKey(options: Options): Promise<string> {
  const path = options["keyFile"];
  const text =
    typeof path === "string"
      ? await readFile(path, "utf8").catch(() => {
          throw usageError("The file of --key-file cannot be read.");
        })
      : await readInput();
  const key = text.trim();
  if (key === "" || /\s/.test(key)) throw usageError("The key must be one word.");
  return key;
}

function readInput(): Promise<string> {
  if (process.stdin.isTTY)
    process.stderr.write(
      "Paste the key, then press Enter and Ctrl-D. It is shown on the screen.\n",
    );
  return readText(process.stdin);
}

const path = (name: string | undefined, verb = "") => `/vendor-accounts/${part(name)}${verb}`;

function pausing(verb: "pause" | "resume", does: string): AdminCommand {
  return {
    usage: `${verb} <name>`,
    does,
    options: [why()],
    request: ([name], options) => ({
      method: "POST",
      path: path(name, `/${verb}`),
      body: pick(options, { reason: "reason" }),
    }),
    next: () => everywhere,
  };
}

/** Two settings of the API, of which one can have changed when the other is refused. */
const change: AdminCommand = {
  usage: "change <name>",
  does: "set the weight and the limits of a vendor account",
  options: [
    whole("--weight <weight>", "0 to 1000; 0: only what the others cannot take"),
    option("--open-jobs-max <count>", "jobs at the same time, or none").argParser(parseLimit),
    option("--credits-per-day-max <credits>", "credits in a day, or none").argParser(parseLimit),
    why(),
  ],
  request: async ([name], options, call) => {
    const limits = pickLimits(options, {
      openJobsMax: "openJobsMax",
      creditsPerDayMax: "creditsPerDayMax",
    });
    const weight = pick(options, { weight: "weight" });
    const reason = pick(options, { reason: "reason" });
    const [hasLimits, hasWeight] = [limits, weight].map((one) => Object.keys(one).length > 0);
    if (!hasLimits && !hasWeight)
      throw usageError("Give --weight, --open-jobs-max or --credits-per-day-max.");
    const weigh = {
      method: "PUT",
      path: path(name, "/weight"),
      body: { ...weight, ...reason },
    } as const;
    if (!hasLimits) return weigh;
    if (hasWeight) await call(weigh);
    return { method: "PUT", path: path(name, "/limits"), body: { ...limits, ...reason } };
  },
  next: () => everywhere,
};

export const vendors: AdminNoun = {
  name: "vendors",
  about: "vendor accounts",
  commands: [
    {
      usage: "list",
      does: "list vendor accounts with their health",
      request: () => ({ method: "GET", path: "/vendor-accounts" }),
      rows: itemsOf,
      columns: [
        "name",
        "kind",
        "source",
        "state",
        "weight",
        "openJobs",
        "openJobsMax",
        "creditsToday",
        "creditsPerDayMax",
        "failures",
        "skippedUntil",
      ],
    },
    {
      usage: "add <name>",
      does: "add a vendor account while the service runs; its key is tested first",
      options: [
        required("--kind <kind>", "the vendor, such as ark"),
        required("--url <url>", "where its API is"),
        keyFile(),
        list("--models <list>", "certain models only"),
        whole("--weight <weight>", "0 to 1000, 100 if left out"),
        whole("--open-jobs-max <count>", "jobs at the same time"),
        whole("--credits-per-day-max <credits>", "credits in a day"),
        option("--settings <json>", "more settings of the kind").argParser(parseJson),
        option("--test", "for test keys"),
        unchecked(),
      ],
      request: async ([name], options) => ({
        method: "POST",
        path: "/vendor-accounts",
        body: {
          name,
          apiKey: await readKey(options),
          ...pick(options, {
            kind: "kind",
            baseUrl: "url",
            models: "models",
            weight: "weight",
            openJobsMax: "openJobsMax",
            creditsPerDayMax: "creditsPerDayMax",
            settings: "settings",
            isTest: "test",
            unchecked: "unchecked",
          }),
        },
      }),
      next: () => everywhere,
    },
    {
      usage: "test <name>",
      does: "make a free call and show the result",
      request: ([name]) => ({ method: "POST", path: path(name, "/test") }),
    },
    pausing("pause", "stop submitting to it; open jobs are polled until they end"),
    pausing("resume", "submit there again"),
    change,
    {
      usage: "rotate <name>",
      does: "replace the key; the new one is tested first",
      options: [keyFile(), unchecked()],
      request: async ([name], options) => ({
        method: "POST",
        path: path(name, "/rotate"),
        body: { apiKey: await readKey(options), ...pick(options, { unchecked: "unchecked" }) },
      }),
      next: () => `revoke the old key at the vendor in 5 s: ${everywhere}`,
    },
    {
      usage: "remove <name>",
      does: "pause permanently; the key is deleted when no job is open",
      request: ([name]) => ({ method: "DELETE", path: path(name) }),
      next: () => "the key can be revoked at the vendor when its open jobs have ended",
    },
  ],
};
