import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import type { Restate } from "@zoetrope/dev/services/restate.ts";
import { request } from "undici";
import { createWaits } from "./waits.ts";

export interface Bare extends AsyncDisposable {
  pid: number;
  /** Settles when the poll of this key has ended. */
  ended(key: string): Promise<void>;
}

/** A process with the empty handlers, known to the engine. */
export async function startBare(restate: Restate, pollSteps: number): Promise<Bare> {
  const port = await freePort();
  const file = fileURLToPath(new URL("./bare-engine.ts", import.meta.url));
  const child = fork(file, [String(port), String(pollSteps)]);
  await once(child, "message");
  const waits = createWaits();
  child.on("message", (key) => waits.settle(String(key)));
  const answer = await request(`${restate.adminUrl}/deployments`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ uri: `http://127.0.0.1:${port}` }),
  });
  await answer.body.dump();
  if (answer.statusCode >= 300) throw new Error(`registering answered ${answer.statusCode}`);
  return {
    pid: child.pid ?? 0,
    ended: waits.wait,
    async [Symbol.asyncDispose]() {
      const exit = once(child, "exit");
      child.kill();
      await exit;
    },
  };
}
