import { usageError } from "../cli-error.ts";
import { type Invocation, numberOption, textOption } from "../run.ts";
import { openSession } from "../session.ts";
import { cleanText } from "../terminal/clean-text.ts";
import { formatTable, formatTime } from "../terminal/format.ts";
import { more } from "./tasks.ts";

interface Deliveries {
  items: {
    deliveryId: string;
    taskId: string | null;
    url: string;
    outcome: string;
    createdAt: number;
    attempts: { status: number | null; reason: string | null }[];
  }[];
  nextCursor: string | null;
}

export async function listDeliveries(invocation: Invocation): Promise<void> {
  const { client, signal, talk } = await openSession(invocation);
  const { options } = invocation;
  const page = await client.request<Deliveries>({
    method: "GET",
    path: "/api/v1/webhooks/deliveries",
    query: {
      taskId: textOption(options, "task"),
      endpointId: textOption(options, "endpoint"),
      outcome: textOption(options, "outcome"),
      cursor: textOption(options, "cursor"),
      limit: numberOption(options, "limit"),
    },
    signal,
  });
  talk.result(page, () => [
    ...formatTable(
      ["DELIVERY", "OUTCOME", "ATTEMPTS", "LAST", "CREATED", "TASK", "URL"],
      page.items.map(({ deliveryId, outcome, attempts, createdAt, taskId, url }) => {
        const last = attempts.at(-1);
        const said = last?.status ?? last?.reason ?? "";
        return [deliveryId, outcome, attempts.length, said, formatTime(createdAt), taskId, url];
      }),
    ),
    ...more(page.nextCursor),
  ]);
}

/** One delivery, or all of a time with an outcome. */
export async function deliverAgain(invocation: Invocation): Promise<void> {
  const { options, args } = invocation;
  const [deliveryId] = args;
  const from = textOption(options, "from");
  if ((deliveryId === undefined) === (from === undefined))
    throw usageError(
      "Either one delivery or --from is needed.",
      "'zoetrope webhooks list' shows both.",
    );
  const body =
    deliveryId === undefined
      ? {
          from,
          to: textOption(options, "to") ?? new Date().toISOString(),
          outcome: textOption(options, "outcome"),
          endpointId: textOption(options, "endpoint"),
        }
      : { deliveryId };
  const { client, signal, talk } = await openSession(invocation);
  const path = "/api/v1/webhooks/again";
  const answer = await client.request<{ queued: number; isMore: boolean }>({
    method: "POST",
    path,
    body,
    signal,
  });
  talk.result(answer, () => [
    cleanText(
      `${answer.queued} ${answer.queued === 1 ? "delivery is" : "deliveries are"} sent again.`,
    ),
    ...(answer.isMore ? ["There are more: repeat the command."] : []),
  ]);
}

export async function sendTest(invocation: Invocation): Promise<void> {
  const { client, signal, talk } = await openSession(invocation);
  const [target = ""] = invocation.args;
  const body = /^https?:\/\//.test(target) ? { url: target } : { endpointId: target };
  const path = "/api/v1/webhooks/test";
  const answer = await client.request<{ deliveryId: string }>({
    method: "POST",
    path,
    body,
    signal,
  });
  talk.result(answer, () => [
    cleanText(`Delivery ${answer.deliveryId} is on its way.`),
    "'zoetrope webhooks list' shows how it went.",
  ]);
}

/** Prints the new secret: it is what the command is for. */
export async function rotateSecret(invocation: Invocation): Promise<void> {
  const { client, signal, talk } = await openSession(invocation);
  const endpointId = textOption(invocation.options, "endpoint");
  const overlapHours = numberOption(invocation.options, "overlapHours");
  const answer = await client.request<{ secret: string; previousUntil: number | null }>({
    method: "POST",
    path:
      endpointId === undefined
        ? "/api/v1/webhooks/secret/rotate"
        : "/api/v1/webhooks/endpoints/secret/rotate",
    query: { endpointId },
    body: { overlapHours },
    signal,
  });
  const { secret, previousUntil } = answer;
  if (previousUntil !== null)
    talk.say(`The secret before also signs until ${formatTime(previousUntil)}.`);
  talk.result(answer, () => cleanText(secret));
}
