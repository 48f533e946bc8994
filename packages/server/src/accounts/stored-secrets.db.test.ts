import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { byCommand } from "../../test/harness/judge.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import type { AccountId } from "../ids.ts";
import { parseKeyRing } from "../secrets/key-ring.ts";
import { accountSecrets } from "../secrets/kinds.ts";
import { countByKey, reencrypt } from "../secrets/reencrypt.ts";
import { attemptDelivery } from "../webhooks/attempt-delivery.ts";
import { takeDueDeliveries } from "../webhooks/queries.ts";
import { rotateSecret, showSecret } from "../webhooks/rotate-secret.ts";
import { attemptsUsual } from "../webhooks/schedule.ts";
import { sendTest } from "../webhooks/send-test.ts";
import { createAccount } from "./create-account.ts";
import { createTestAccount } from "./create-test-account.ts";

const run = promisify(execFile);
const newKey = () => randomBytes(32).toString("base64");
const keys = { old: `old ${newKey()}`, next: `next ${newKey()}` };
const rings = {
  old: parseKeyRing(keys.old),
  both: parseKeyRing(`${keys.next}\n${keys.old}`),
  next: parseKeyRing(keys.next),
};

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed({ KEY_RING: keys.old });
});
afterAll(() => bed[Symbol.asyncDispose]());

const storedOf = async (accountId: AccountId) => {
  const [row] = await bed.database.sql<{ now: string; before: string | null }>(
    "select webhook_secret as now, webhook_secret_before as before from accounts where id = $1",
    [accountId],
  );
  return { now: row?.now ?? "", before: row?.before ?? "" };
};
const setStored = (accountId: AccountId, stored: string) =>
  bed.database.sql("update accounts set webhook_secret = $2 where id = $1", [accountId, stored]);

test("a dump of the database has no webhook secret in it, in whatever form", async () => {
  const { accountId, webhookSecret } = await createAccount(bed.ctx, { name: "dumped" });
  const live = { id: accountId } as Parameters<typeof showSecret>[1];
  const twin = await createTestAccount(bed.ctx, accountId);
  const before = webhookSecret;
  const { secret } = await rotateSecret(bed.ctx, byCommand, live.id, 24);
  const ofTwin = await showSecret(bed.ctx, { ...live, id: twin.accountId });
  const { stdout } = await run("pg_dump", ["--inserts", bed.database.ownerUrl], {
    maxBuffer: 64 * 1024 * 1024,
  });
  expect(stdout).toContain(accountId); // the dump has the rows
  for (const planted of [before, secret, ofTwin.secret]) {
    const text = planted.replace("whsec_", "");
    const key = Buffer.from(text, "base64");
    const forms = [text, Buffer.from(planted).toString("base64"), key.toString("hex")];
    for (const form of [...forms, Buffer.from(planted).toString("hex")])
      expect(stdout.includes(form)).toBe(false);
  }
});

test("a stored secret that is copied to another account is refused there", async () => {
  const [rich, thief] = [await bed.openAccount(), await bed.openAccount()];
  await setStored(thief.id, (await storedOf(rich.id)).now);
  await expect(showSecret(bed.ctx, thief)).rejects.toThrow("changed, moved");
});

test("re-encryption while the service runs: plain and old secrets end up under the first key, a damaged one stops nobody, and a second run finds nothing to do", async () => {
  await using other = await openTestBed({ KEY_RING: keys.old });
  const accounts = await Promise.all(Array.from({ length: 5 }, () => other.openAccount()));
  const [plain, damaged, rotated, ...rest] = accounts;
  if (!plain || !damaged || !rotated) throw new Error("no accounts");
  const set = (id: AccountId, stored: string) =>
    other.database.sql("update accounts set webhook_secret = $2 where id = $1", [id, stored]);
  await set(plain.id, "whsec_cGxhaW4gcGxhaW4gcGxhaW4=");
  await set(damaged.id, "enc1:old:AAAA");
  await rotateSecret(other.ctx, byCommand, rotated.id, 24);
  const good = [plain, rotated, ...rest];
  const secretsBefore = await Promise.all(good.map((account) => showSecret(other.ctx, account)));

  const done = await reencrypt(other.ctx.db, accountSecrets, rings.both);
  expect(done).toMatchObject({ reencrypted: 4, failed: 1 });
  expect(done.failures).toEqual([{ id: damaged.id, reason: expect.stringContaining("damaged") }]);

  const afterwards = { ...other.ctx, keyRing: rings.next };
  const secretsAfter = await Promise.all(good.map((account) => showSecret(afterwards, account)));
  expect(secretsAfter).toEqual(secretsBefore);
  const counts = new Map<string, number>();
  await countByKey(other.ctx.db, accountSecrets, counts);
  expect(counts).toEqual(
    new Map([
      ["next", 5],
      ["old", 1],
    ]),
  );
  expect(await reencrypt(other.ctx.db, accountSecrets, rings.both)).toMatchObject({
    reencrypted: 0,
    failed: 1,
  });
});

test("a callback during a rotation is signed with both secrets, each from its own row", async () => {
  await using receiver = await startReceiver();
  const account = await bed.openAccount();
  const before = await showSecret(bed.ctx, account);
  const now = await rotateSecret(bed.ctx, byCommand, account.id, 24);
  await sendTest(bed.ctx, account, receiver.url);
  await deliver(account.id, receiver.url);
  const [request] = receiver.received;
  for (const { secret } of [before, now])
    expect(() =>
      new Webhook(secret).verify(request?.body ?? "", request?.headers as Record<string, string>),
    ).not.toThrow();
});

test("a worker without the key does not deliver unsigned and does not say that the secret is damaged", async () => {
  await using receiver = await startReceiver();
  const account = await bed.openAccount();
  await sendTest(bed.ctx, account, receiver.url);
  const host = new URL(receiver.url).host;
  const share = { lane: { accountId: account.id, host }, rowsMax: 1 };
  const [due] = await takeDueDeliveries(bed.ctx.db, [share], { attemptsUsual, leaseMs: 60_000 });
  if (due === undefined) throw new Error("nothing is due");
  const lacking = { ...bed.ctx, keyRing: rings.next };
  await expect(attemptDelivery(lacking, due)).rejects.toThrow("the key ring has no key old");
  expect(receiver.received).toEqual([]);
});

async function deliver(accountId: AccountId, url: string): Promise<void> {
  const share = { lane: { accountId, host: new URL(url).host }, rowsMax: 10 };
  for (const due of await takeDueDeliveries(bed.ctx.db, [share], {
    attemptsUsual,
    leaseMs: 60_000,
  }))
    await attemptDelivery(bed.ctx, due);
}
