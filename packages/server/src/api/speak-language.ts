import type { FastifyReply, FastifyRequest } from "fastify";
import { failReasonIn } from "../assets/fail-reason.ts";
import { type Language, languageTags } from "../errors.ts";
import { isObject, languageOfRequest, taskIn } from "../http/in-language.ts";
import { deliveryReasonIn } from "../webhooks/reason.ts";

/** The members of responses that are tasks and assets, or lists of them. Events stay as they were sent. */
const holders = ["tasks", "task", "assets", "asset", "items"];

/**
 * Translates a response into the language of `Accept-Language`: why a task, an asset or a delivery failed,
 * and where a task differs from its request. Everything else in a response is data, or has its language
 * from its route.
 */
export async function speakLanguage(request: FastifyRequest, reply: FastifyReply, answer: unknown) {
  const language = languageOfRequest(request);
  if (language === "en" || !isObject(answer) || reply.statusCode >= 400) return answer;
  const spoken = inLanguage(answer, language);
  for (const name of holders) {
    const held = spoken[name];
    if (Array.isArray(held))
      spoken[name] = held.map((one: unknown) => (isObject(one) ? inLanguage(one, language) : one));
    else if (isObject(held)) spoken[name] = inLanguage(held, language);
  }
  const isAboutDeliveries = withReasons.some((path) => request.routeOptions.url?.startsWith(path));
  reply.header("Content-Language", languageTags[language]);
  return isAboutDeliveries ? reasonsIn(spoken, language) : spoken;
}

/** The responses that contain the reasons of failed delivery attempts. */
const withReasons = [
  "/api/v1/webhooks",
  "/api/v1/jobs/timeline",
  "/api/admin/v1/deliveries",
  "/api/admin/v1/tasks/:taskId/timeline",
];

/** Returns the response with every reason of an attempt in a language, at any depth. */
function reasonsIn(value: unknown, language: Language): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => reasonsIn(one, language));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      name,
      (name === "reason" || name === "lastReason") && typeof held === "string"
        ? deliveryReasonIn(language, held)
        : reasonsIn(held, language),
    ]),
  );
}

function inLanguage(view: Record<string, unknown>, language: Language): Record<string, unknown> {
  const { failReason } = view;
  if (typeof failReason === "string")
    return { ...view, failReason: failReasonIn(language, failReason) };
  return { ...taskIn(view, language) };
}
