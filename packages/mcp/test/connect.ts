import {
  type CallToolResult,
  Client,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

export const revisions = ["2026-07-28", "2025-11-25"] as const;

interface ClientOptions {
  revision?: (typeof revisions)[number];
  /** Without it the client cannot ask anybody. */
  onQuestion?: (message: string) => ElicitResult;
}

interface Answer {
  isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: what a tool answers is what the tests are about
  value: any;
  content: CallToolResult["content"];
}

export interface Agent extends AsyncDisposable {
  client: Client;
  call(tool: string, args?: object): Promise<Answer>;
}

/** The official client, speaking one revision. */
function openClient({ revision = "2026-07-28", onQuestion }: ClientOptions): Client {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    {
      capabilities: onQuestion === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: revision === "2026-07-28" ? { pin: revision } : "legacy" },
    },
  );
  if (onQuestion !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) =>
      onQuestion(params.message),
    );
  return client;
}

export async function connectHttp(apiUrl: string, key: string, options: ClientOptions = {}) {
  const headers = { authorization: `Bearer ${key}` };
  const url = new URL("/mcp", apiUrl);
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  const client = openClient(options);
  await client.connect(transport);
  return agentOf(client);
}

/** Connects to a server in a separate process. */
export async function connectStdio(
  { apiUrl, key, cwd }: { apiUrl: string; key: string; cwd: string },
  options: ClientOptions = {},
) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [`${import.meta.dirname}/stdio-process.ts`],
    env: { TEST_URL: apiUrl, TEST_KEY: key },
    cwd,
  });
  const client = openClient(options);
  await client.connect(transport);
  return { ...agentOf(client), pid: () => transport.pid };
}

function agentOf(client: Client): Agent {
  return {
    client,
    async call(name, args = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: { ...args } });
      const [first] = content;
      if (first?.type !== "text") throw new Error("the first content is not a text");
      return { isError, value: JSON.parse(first.text), content };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
