import type { Zoetrope } from "@zoetrope/sdk";
import { type Invocation, numberOption, textOption } from "../run.ts";
import { openSession } from "../session.ts";
import { cleanText } from "../terminal/clean-text.ts";
import { formatTable, formatTime } from "../terminal/format.ts";
import { more } from "./tasks.ts";

/** The service checks scopes and names. */
type NewKey = Parameters<Zoetrope["keys"]["create"]>[0];

export async function listKeys(invocation: Invocation): Promise<void> {
  const { client, signal, talk } = await openSession(invocation);
  const limit = numberOption(invocation.options, "limit");
  const cursor = textOption(invocation.options, "cursor");
  const page = await client.keys({ limit, cursor }, { signal });
  talk.result(page, () => [
    ...formatTable(
      ["KEY", "NAME", "BEGINS", "MODE", "STATUS", "SCOPES", "CREDITS LEFT", "LAST USED"],
      page.items.map(({ keyId, name, hint, mode, status, scopes, creditsLeft, lastUsedAt }) => [
        keyId,
        name,
        hint,
        mode,
        status,
        scopes?.join(" ") ?? "all but keys",
        creditsLeft ?? "no limit",
        formatTime(lastUsedAt),
      ]),
    ),
    ...more(page.nextCursor),
  ]);
}

/** The one command that prints a key: the service shows it once. */
export async function createKey(invocation: Invocation): Promise<void> {
  const { client, signal, talk } = await openSession(invocation);
  const { options } = invocation;
  const wanted = {
    name: invocation.args[0],
    ...(options["test"] === true ? { mode: "test" } : {}),
    scopes: readList(options, "scopes"),
    models: readList(options, "models"),
    creditsMax: numberOption(options, "creditsMax"),
    requestsPerMinuteMax: numberOption(options, "requestsPerMinute"),
    expiresAt: textOption(options, "expires"),
  };
  const created = await client.keys.create(wanted as NewKey, { signal });
  talk.say("The key is shown only once. Store it in a safe place.");
  talk.result(created, () => cleanText(created.key));
}

function readList(options: Invocation["options"], name: string): string[] | undefined {
  return textOption(options, name)
    ?.split(/[\s,]+/)
    .filter((word) => word !== "");
}

export async function revokeKey(invocation: Invocation): Promise<void> {
  const { client, signal, talk } = await openSession(invocation);
  const [keyId = ""] = invocation.args;
  const answer = await client.keys.revoke(keyId, { signal });
  talk.result(answer, () => `Key ${cleanText(keyId)} is revoked.`);
}
