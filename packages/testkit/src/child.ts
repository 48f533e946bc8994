import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** A child process with messages; it ends with this one. */
export function startChild(file: string, env: Record<string, string> = {}) {
  const child = fork(file, { env, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  return Object.assign(child, {
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.disconnect();
      await once(child, "exit");
    },
  });
}

/** The next message that is one of those asked for. Fails when the process ends without it. */
export async function nextMessage<Message>(
  child: ChildProcess,
  isIt: (message: unknown) => message is Message,
): Promise<Message> {
  const { promise, resolve, reject } = Promise.withResolvers<Message>();
  const take = (message: unknown) => {
    if (isIt(message)) resolve(message);
  };
  const leave = () => reject(new Error("a process that was asked has ended"));
  child.on("message", take).once("exit", leave);
  try {
    return await promise;
  } finally {
    child.off("message", take).off("exit", leave);
  }
}
