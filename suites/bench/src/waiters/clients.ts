import { fileURLToPath } from "node:url";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { nextMessage, startChild } from "@zoetrope/testkit/child.ts";
import type { FromClients, Observation, ToClients, Waiter } from "./messages.ts";

const processCount = 2;
const connectMsMax = 120_000;
const file = fileURLToPath(new URL("./client-process.ts", import.meta.url));

type Progress = Extract<FromClients, { kind: "progress" }>;
type Report = Extract<FromClients, { kind: "report" }>;
const isReport = (message: unknown): message is Report =>
  (message as FromClients).kind === "report";

/** The clients, in processes that share them. */
export function startClientProcesses() {
  const started = new AsyncDisposableStack();
  const children = Array.from({ length: processCount }, () => {
    const child = started.use(startChild(file));
    const latest: { progress: Progress | null } = { progress: null };
    child.on("message", (message: FromClients) => {
      if (message.kind === "progress") latest.progress = message;
    });
    return { child, latest, send: (message: ToClients) => child.send(message) };
  });

  const sum = (name: "waiting" | "ended" | "reconnects") =>
    children.reduce((all, { latest }) => all + (latest.progress?.[name] ?? 0), 0);

  return {
    /** Returns when everybody knows the state of their task and waits for the next. */
    async start(port: number, waiters: Waiter[]): Promise<void> {
      for (const [index, { latest, send }] of children.entries()) {
        latest.progress = null;
        const own = waiters.filter((_, number) => number % processCount === index);
        send({ kind: "start", port, waiters: own });
      }
      await waitUntil("every client waits", () => sum("waiting") === waiters.length, {
        timeoutMs: connectMsMax,
      });
    },
    /** Cuts every connection once in this time from now on. */
    cut(everyMs: number): void {
      for (const { send } of children) send({ kind: "cut", everyMs });
    },
    ended: () => sum("ended"),
    reconnects: () => sum("reconnects"),
    faults(): string {
      const all = children.flatMap(({ latest }) => Object.entries(latest.progress?.faults ?? {}));
      return all.map(([fault, count]) => `${fault}: ${count}`).join(", ") || "none";
    },
    async report(): Promise<Observation[]> {
      const reports = children.map(async ({ child, send }) => {
        const report = nextMessage(child, isReport);
        send({ kind: "report" });
        return (await report).observations;
      });
      return (await Promise.all(reports)).flat();
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
