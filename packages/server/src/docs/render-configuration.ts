import { ownerUrl, shardOwners } from "../settings/owner-settings.ts";
import type { Setting } from "../settings/setting.ts";
import { settings } from "../settings/settings.ts";
import { renderTable } from "./markdown.ts";

const titles: Record<keyof typeof settings, string> = {
  runtime: "Process",
  ops: "Metrics",
  traces: "Traces",
  database: "Database",
  links: "Public URL and links",
  secrets: "Key ring",
  oidc: "Company sign-in",
  api: "API",
  admin: "Operators",
  mail: "Mail",
  library: "Assets of an account",
  tasks: "Tasks",
  webhooks: "Callbacks",
  engine: "Restate",
  worker: "Worker",
  retention: "How long data is kept",
  storage: "File storage",
  vendors: "Vendors",
  labels: "Labels of outputs",
  testMode: "Test mode",
  upscale: "Upscaling",
  review: "Review of assets",
  fetch: "Outgoing requests",
};

/** Every setting: name, type, default, and what it is for. */
export function renderConfiguration(): string {
  const sections = Object.entries(titles).map(([group, title]) => {
    const members: Setting<unknown>[] = Object.values(settings[group as keyof typeof settings]);
    return `## ${title}\n\n${renderSettings(members)}`;
  });
  return `# Configuration

The api and the worker read their settings from environment variables. They refuse to start when a setting is missing or wrong, and name every one at fault. A setting marked _or file_ can be given as the path of a file instead, by its name with \`_FILE\` appended, such as \`DATABASE_URL_FILE\`; the file's last line break is dropped. How to choose values: [operations.md](./operations.md).

${sections.join("\n")}
## Operator

Operator commands read \`${settings.database.url.name}\`, and to show links \`${settings.links.publicUrl.name}\` and \`${settings.links.secret.name}\`.

${renderSettings([ownerUrl, shardOwners])}`;
}

function renderSettings(members: readonly Setting<unknown>[]): string {
  return renderTable(
    ["name", "type", "default", "what it is for"],
    members.map(({ name, type, preset, isRequired, isSecret, about }) => [
      isSecret ? `\`${name}\` _or file_` : `\`${name}\``,
      type,
      isRequired ? "required" : presetOf(preset),
      about,
    ]),
  );
}

/** A default described in text is written as it is. */
function presetOf(preset: string | null): string {
  if (preset === null) return "not set";
  return preset.includes(" ") ? preset : `\`${preset}\``;
}
