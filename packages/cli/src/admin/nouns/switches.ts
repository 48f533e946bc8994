import { Option } from "commander";
import {
  type AdminNoun,
  type Answer,
  option,
  parseTime,
  part,
  pick,
  required,
} from "../admin-command.ts";

const why = () => option("--reason <text>", "why; it stays in the audit");
const everywhere = "takes effect in every api process within seconds";

export const models: AdminNoun = {
  name: "models",
  about: "models that are on or off for new tasks",
  commands: [
    {
      usage: "list",
      does: "list the models, and which of them are off",
      request: () => ({ method: "GET", path: "/switches" }),
      rows: (answer) => (answer["models"] ?? []) as Answer[],
      columns: ["model", "isOn", "message"],
    },
    {
      usage: "off <model>",
      does: "refuse new tasks of a model; running tasks continue",
      options: [option("--message <text>", "the message to callers"), why()],
      request: ([model], options) => ({
        method: "PUT",
        path: `/switches/models/${part(model)}`,
        body: { isOn: false, ...pick(options, { message: "message", reason: "reason" }) },
      }),
      next: () => everywhere,
    },
    {
      usage: "on <model>",
      does: "accept new tasks of a model again",
      options: [why()],
      request: ([model], options) => ({
        method: "PUT",
        path: `/switches/models/${part(model)}`,
        body: { isOn: true, ...pick(options, { reason: "reason" }) },
      }),
      next: () => everywhere,
    },
  ],
};

export const banner: AdminNoun = {
  name: "banner",
  about: "the announcement in the console",
  commands: [
    {
      usage: "show",
      does: "show the current banner",
      request: () => ({ method: "GET", path: "/switches" }),
      rows: (answer) => (answer["banner"] === null ? [] : [answer["banner"] as Answer]),
      columns: ["severity", "text", "until"],
    },
    {
      usage: "set",
      does: "show a banner; replaces the current one",
      options: [
        new Option("--severity <severity>", "how bad it is")
          .choices(["info", "warning", "critical"])
          .makeOptionMandatory(),
        required("--text <text>", "in English"),
        required("--text-zh <text>", "in Chinese"),
        option("--until <time>", "the time when the banner ends").argParser(parseTime),
      ],
      request: (_args, options) => ({
        method: "PUT",
        path: "/switches/banner",
        body: {
          ...pick(options, { severity: "severity", until: "until" }),
          text: { en: options["text"], zh: options["textZh"] },
        },
      }),
      next: () => everywhere,
    },
    {
      usage: "remove",
      does: "remove the banner",
      request: () => ({ method: "DELETE", path: "/switches/banner" }),
      next: () => everywhere,
    },
  ],
};
