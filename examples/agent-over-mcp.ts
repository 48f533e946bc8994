// The tool calls of an agent over MCP, which its language model would choose: node agent-over-mcp.ts "A paper boat"
import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";

const { ZOETROPE_BASE_URL = "http://127.0.0.1:8080", ZOETROPE_API_KEY = "" } = process.env;
const [prompt = "A paper boat crosses a puddle"] = process.argv.slice(2);

const agent = new Client({ name: "example", version: "1.0.0" });
await agent.connect(
  new StreamableHTTPClientTransport(new URL("/mcp", ZOETROPE_BASE_URL), {
    requestInit: { headers: { authorization: `Bearer ${ZOETROPE_API_KEY}` } },
  }),
);
const { tools } = await agent.listTools();
console.log(`Tools: ${tools.map(({ name }) => name).join(", ")}`);

const task = { model: "sd2", inputs: { prompt, duration: "4s" } };
const { credits } = await call("quote", task);
// Without maxCredits, or above it, the server asks the person before it spends anything.
let made = await call("generate", { ...task, maxCredits: credits });
while (made.next !== undefined)
  made = await call("get_task", { taskId: made.taskId, waitSeconds: 50 });
console.log(`${made.status} for ${made.credits} credits: ${made.outputs?.[0]?.url}`);
await agent.close();

interface Told {
  taskId: string;
  status: string;
  credits: number;
  /** Present while the task is not over. */
  next?: string;
  outputs?: { url: string }[];
}

/**
 * Calls a tool and returns the JSON in the first content of its result; links and a small poster
 * follow it.
 */
async function call(name: string, given: Record<string, unknown>): Promise<Told> {
  const { content, isError }: CallToolResult = await agent.callTool({ name, arguments: given });
  const [first] = content;
  if (first?.type !== "text" || isError) throw new Error(JSON.stringify(content));
  return JSON.parse(first.text);
}
