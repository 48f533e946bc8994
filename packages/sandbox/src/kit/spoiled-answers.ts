import type { FastifyReply } from "fastify";
import type { Script } from "./script.ts";

/** The response that the caller of a create got: an HTTP status, or the end or the silence of a socket. */
export type Given = number | "reset" | "timeout";

export function givenAnswer(script: Script): Given {
  if (script.answer === "reset" || script.answer === "timeout") return script.answer;
  return script.answer === "500" ? 500 : 200;
}

/** Gives what no vendor means to give, if the script says so: then it returns the reply. */
export function spoilAnswer(reply: FastifyReply, script: Script): FastifyReply | undefined {
  if (script.answer === "reset") {
    reply.hijack();
    reply.raw.socket?.resetAndDestroy();
    return reply;
  }
  if (script.answer === "timeout") {
    reply.hijack(); // the socket stays open until the caller or stop() closes it
    return reply;
  }
  if (script.answer === "garbage") {
    return reply.type("text/html").send("<html><body><h1>502 Bad Gateway</h1></body>");
  }
  return undefined;
}

const textsCountedMax = 10_000;

/** Counts how often a text has been throttled so far, for the latest texts. */
export function createTextCount(): (text: string) => number {
  const counts = new Map<string, number>();
  return (text) => {
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    const [oldest] = counts.keys();
    if (counts.size > textsCountedMax && oldest !== undefined) counts.delete(oldest);
    return count;
  };
}
