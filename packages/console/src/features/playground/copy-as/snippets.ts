import { jsonOf, pythonOf, quoted, shellWord } from "./quote-text.ts";

export interface Request {
  model: string;
  inputs: Readonly<Record<string, unknown>>;
  /** The price that was shown: the task costs no more. */
  maxCredits: number | null;
}

export const languages = ["curl", "typescript", "python", "cli", "mcp"] as const;
export type SnippetLanguage = (typeof languages)[number];

/** Returns the request as a snippet for a program, a terminal or an agent. It never contains the key. */
export function snippetOf(language: SnippetLanguage, request: Request, baseUrl: string): string {
  return writers[language](request, baseUrl);
}

const writers: Record<SnippetLanguage, (request: Request, baseUrl: string) => string> = {
  curl: ({ model, inputs, maxCredits }, baseUrl) =>
    [
      `curl -sS ${shellWord(`${baseUrl}/api/v1/jobs/createTask`)} \\`,
      `  -H "Authorization: Bearer $ZOETROPE_API_KEY" \\`,
      `  -H "Content-Type: application/json" \\`,
      `  --data-raw ${quoted(jsonOf({ model, inputs, ...limit(maxCredits) }, 2))}`,
    ].join("\n"),
  typescript: ({ model, inputs, maxCredits }, baseUrl) =>
    [
      `import { Zoetrope } from "@zoetrope/sdk";`,
      "",
      "const client = new Zoetrope({",
      `  baseUrl: ${jsonOf(baseUrl)},`,
      `  apiKey: process.env["ZOETROPE_API_KEY"] ?? "",`,
      "});",
      `const inputs = ${jsonOf(inputs, 2)} as const;`,
      `const task = await client.run(${[jsonOf(model), "inputs", ...options(maxCredits)].join(", ")});`,
      "console.log(task.files[0]?.url);",
    ].join("\n"),
  python: ({ model, inputs, maxCredits }, baseUrl) =>
    [
      "import os",
      "",
      "from zoetrope import Zoetrope",
      "",
      `with Zoetrope(${jsonOf(baseUrl)}, os.environ["ZOETROPE_API_KEY"]) as client:`,
      "    task = client.run(",
      `        ${jsonOf(model)},`,
      `        ${pythonOf(inputs, 4, 2)},`,
      ...(maxCredits === null ? [] : [`        max_credits=${maxCredits},`]),
      "    )",
      "    print(task.files[0].url)",
    ].join("\n"),
  cli: ({ model, inputs, maxCredits }) =>
    [
      `zoetrope generate --model=${shellWord(model)}`,
      ...Object.entries(inputs).flatMap(([name, value]) => flagsOf(name, value)),
      ...(maxCredits === null ? [] : [`--max-credits=${maxCredits}`]),
      `-o '{taskId}.{ext}'`,
    ].join(" \\\n  "),
  mcp: ({ model, inputs, maxCredits }) => {
    const params = { name: "generate", arguments: { model, inputs, ...limit(maxCredits) } };
    return jsonOf({ jsonrpc: "2.0", id: 1, method: "tools/call", params }, 2);
  },
};

function limit(maxCredits: number | null): { maxCredits?: number } {
  return maxCredits === null ? {} : { maxCredits };
}

function options(maxCredits: number | null): string[] {
  return maxCredits === null ? [] : [`{ maxCredits: ${maxCredits} }`];
}

/** Returns a flag with `=`, because a value that begins with a dash is no flag. */
function flagsOf(name: string, value: unknown): string[] {
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (typeof value === "boolean") return [value ? `--${flag}` : `--no-${flag}`];
  const values = Array.isArray(value) ? value : [value];
  return values.map((one) => `--${flag}=${shellWord(String(one))}`);
}
