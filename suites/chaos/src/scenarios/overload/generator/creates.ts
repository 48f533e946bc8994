import type { Answer, Connections } from "./connections.ts";

export interface GeneratorAccount {
  accountId: string;
  key: string;
}

/** A task that was accepted, and for what it was given. */
export interface SentTask {
  account: number;
  key: string;
  taskId: string;
  at: number;
}

/** `other` is wrong: neither accepted, nor refused as the interface allows. */
export type Outcome = "accepted" | "refused" | "other";

export interface Creates {
  /** `what` is the status and the code. */
  send(account: number, done: (outcome: Outcome, what: string) => void): void;
  /** Everything accepted so far. */
  readonly sent: SentTask[];
}

export const sample = {
  model: "sd2",
  outputResolution: "720p",
  seconds: 4,
  prompt: "A lighthouse in a storm",
};
const body = JSON.stringify({
  model: sample.model,
  inputs: { prompt: sample.prompt, duration: `${sample.seconds}s` },
});

/** Sends creates, each under a separate key; everything but the key is made ahead. */
export function openCreates(
  connections: Connections,
  accounts: readonly GeneratorAccount[],
): Creates {
  const sent: SentTask[] = [];
  let count = 0;
  const heads = accounts.map(({ key }) =>
    [
      "POST /api/v1/jobs/createTask HTTP/1.1",
      "host: overload",
      `authorization: Bearer ${key}`,
      "content-type: application/json",
      `content-length: ${body.length}`,
      "idempotency-key: ",
    ].join("\r\n"),
  );
  return {
    sent,
    send(account, done) {
      count += 1;
      const key = `create-${count}`;
      connections.send(`${heads[account]}${key}\r\n\r\n${body}`, (answer) => {
        const { status, head } = answer;
        const what = nameOf(answer);
        const taskId = status === 200 ? /"taskId":"([^"]+)"/.exec(answer.body)?.[1] : undefined;
        if (taskId !== undefined) {
          sent.push({ account, key, taskId, at: Date.now() });
          done("accepted", what);
        } else {
          const isRefusal = (status === 429 || status === 503) && /^retry-after: \d/im.test(head);
          done(isRefusal ? "refused" : "other", what);
        }
      });
    },
  };
}

/** The status and, of an error, its code. */
export function nameOf({ status, body: text }: Answer): string {
  const code = /"code":"(\w+)"/.exec(text)?.[1] ?? "";
  return `${status} ${code}`.trim();
}
