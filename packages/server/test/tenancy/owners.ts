import { randomBytes } from "node:crypto";
import { scopes } from "../../src/db/tables/accounts.ts";
import { showSecret } from "../../src/webhooks/rotate-secret.ts";
import { kinds, type Owner, openTasksOfEach, type TenancyFixture } from "./kinds.ts";

export async function openOwner(fixture: TenancyFixture): Promise<Owner> {
  const { bed } = fixture;
  const limits = { scopes: [...scopes] };
  const account = await bed.openAccount({ openTasksMax: openTasksOfEach, limits });
  const mark = `mark-${randomBytes(8).toString("hex")}`;
  const { id: accountId, key } = account;
  const owner: Owner = { accountId, key, mark, ids: new Map(), creations: [], secrets: [] };
  for (const [kind, make] of Object.entries(kinds)) owner.ids.set(kind, await make(fixture, owner));
  const { secret } = await showSecret(bed.ctx, account);
  owner.secrets.push(mark, accountId, key, secret);
  for (const { "asset number": _, ...ids } of owner.ids.values())
    owner.secrets.push(...Object.values(ids)); // a number alone says nothing
  return owner;
}

/** All that an owner can see of his own and that time does not change. */
export async function viewOf({ call }: TenancyFixture, owner: Owner): Promise<string> {
  const own = ["account/credits", "account/ledger", "assets/list", "webhooks/deliveries"];
  const tasks = [...owner.ids.values()].flatMap(({ task, upscale }) => [
    ...(task === undefined ? [] : [`jobs/queryTask?taskId=${task}`]),
    ...(upscale === undefined ? [] : [`upscale/query?taskId=${upscale}`]),
  ]);
  const seen: string[] = [];
  for (const path of [...own, ...tasks]) {
    const { status, text } = await call(owner.key, { method: "GET", url: `/api/v1/${path}` });
    if (status !== 200) throw new Error(`${path} answered its owner ${status}: ${text}`);
    seen.push(text);
  }
  for (const url of seen.flatMap((text) => text.match(/\/media\/\w+\.mp4/g) ?? [])) {
    const { status, text } = await call(null, { method: "GET", url });
    seen.push(`${status} ${text}`);
  }
  return seen.join("\n");
}

const anyMark = /mark-[0-9a-f]{16}/g;

/**
 * Returns the data of the owner, or of any other account, in a response to a stranger. The sent id does not
 * count.
 */
export function leaksIn(text: string, stranger: Owner, owner: Owner, sent = ""): string[] {
  return [
    ...owner.secrets.filter((secret) => secret !== sent && text.includes(secret)),
    ...(text.match(anyMark) ?? []).filter((mark) => mark !== stranger.mark),
  ];
}
