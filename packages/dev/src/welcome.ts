import { agentCreditsMax, type MoreKeys } from "./first-keys.ts";
import { firstEmail } from "./first-person.ts";

interface Running {
  readonly url: string;
  readonly key: string;
  readonly moreKeys: MoreKeys;
  readonly dir: string;
  /** The path of the file as a shell in the current folder names it. */
  readonly envFile: string;
  readonly hasConsole: boolean;
  /** Good once; null: it was used. */
  readonly link: string | null;
}

const prompt = "A paper boat crosses a puddle at dusk, slow and low to the water";

/** Returns the next commands, ready to be pasted. */
export function welcome({ url, key, moreKeys, dir, envFile, ...more }: Running): string {
  const body = JSON.stringify({ model: "sd2", inputs: { prompt } });
  const auth = `-H 'Authorization: Bearer ${key}'`;
  return `
Zoetrope is running, with a sandbox in place of the vendors.

  url   ${url}
  key   ${key}
  test  ${moreKeys.test} (costs nothing)
  agent ${moreKeys.agent} (for MCP at ${url}/mcp, at most ${agentCreditsMax} credits)
  data  ${dir}
${describeConsole(url, more)}
Ctrl-C stops everything; the data stays. Make a video in another terminal (5 s, 30 credits):

  . ${/^[\w./-]+$/.test(envFile) ? envFile.replace(/^(?!\/)/, "./") : `'${envFile}'`}
  npx --no zoetrope generate '${prompt}' --model sd2 -o boat.mp4

Or with curl; put the taskId of the first answer into the second line:

  curl -s ${url}/api/v1/jobs/createTask ${auth} -H 'Content-Type: application/json' -d '${body}'
  curl -s '${url}/api/v1/jobs/queryTask?taskId=TASK_ID' ${auth}
`;
}

function describeConsole(url: string, { hasConsole, link }: Pick<Running, "hasConsole" | "link">) {
  if (!hasConsole) return "";
  if (link === null) return `\nThe console is at ${url}/console\n`;
  return `\nThe console is at ${url}/console. Open it with this link, which works once and makes you, as
${firstEmail}, operator and owner of the account:\n\n  ${link}\n`;
}
