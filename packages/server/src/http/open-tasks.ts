import type { FastifyReply } from "fastify";
import type { OpenTasks } from "../errors.ts";

/** Adds to the RateLimit headers how many open tasks the account may have, and how many more. */
export function addOpenTasksHeaders(reply: FastifyReply, { open, max }: OpenTasks): void {
  const add = (name: string, item: string) => {
    const others = reply.getHeader(name);
    reply.header(name, others === undefined ? item : `${others}, ${item}`);
  };
  add("RateLimit-Policy", `"open-tasks";q=${max}`);
  add("RateLimit", `"open-tasks";r=${Math.max(max - open, 0)}`);
}
