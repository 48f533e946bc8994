import { once } from "node:events";
import type { Invocation } from "../run.ts";
import { openSession } from "../session.ts";

/** The tools for agents, until the agent closes standard input. */
export async function mcp(invocation: Invocation): Promise<void> {
  const { client, signal } = await openSession(invocation);
  const { serveStdio } = await import("@zoetrope/mcp");
  const server = serveStdio({ client, onError: (error) => process.stderr.write(`${error}\n`) });
  await Promise.race([once(process.stdin, "end"), once(signal, "abort")]);
  await server.close();
}
