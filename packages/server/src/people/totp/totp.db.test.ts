import { randomBytes } from "node:crypto";
import { generateSync } from "otplib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { newId, type PersonActor, type PersonId, type SessionId } from "../../ids.ts";
import { parseKeyRing } from "../../secrets/key-ring.ts";
import { authenticatorSecrets } from "../../secrets/kinds.ts";
import { countByKey, reencrypt } from "../../secrets/reencrypt.ts";
import { checkCode } from "./check-code.ts";
import { confirmTotp, enrolTotp, renewRecoveryCodes, settle } from "./enrol-totp.ts";
import { countRecoveryCodes, hasTotp } from "./queries.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

async function openPersonRow(on: TestBed = bed): Promise<PersonActor> {
  const personId = newId<PersonId>(0);
  const email = `${personId}@example.com`;
  await on.database.sql("insert into people (id, email, name) values ($1, $2, 'Ada')", [
    personId,
    email,
  ]);
  return { kind: "person", personId, address: "192.0.2.1", requestId: null };
}

const sessionOf = ({ personId }: PersonActor) => ({ id: newId<SessionId>(0), personId });

/** The code of a step that is so many away from now. */
const codeOf = (secret: string, off = 0) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + off * 30 });
/** Returns a code that is not that of any step near now. */
function wrongCodeOf(secret: string): string {
  const near = [-2, -1, 0, 1, 2].map((off) => codeOf(secret, off));
  return ["000000", "111111", "222222", "333333", "444444", "555555"].find(
    (code) => !near.includes(code),
  ) as string;
}

/** Uses up the code of now; that of the next step is left, and stays right for a minute. */
async function enable(actor: PersonActor, on: TestBed = bed) {
  const { secret } = await enrolTotp(on.ctx, actor, "ada@example.com");
  const { recoveryCodes } = await confirmTotp(on.ctx, sessionOf(actor), actor, codeOf(secret));
  return { secret, recoveryCodes };
}

const check = ({ personId }: PersonActor, code: string) =>
  settle(bed.ctx, async (tx) => {
    const checked = await checkCode(tx, bed.ctx.keyRing, personId, code);
    return checked.kind === "refused" ? checked.error : checked.by;
  });
const unlock = ({ personId }: PersonActor) =>
  bed.database.sql("update totp_factors set locked_until = null where person_id = $1", [personId]);

test("an authenticator app counts once a code of it was entered, and its secret is not stored in the clear", async () => {
  const actor = await openPersonRow();
  const { secret, otpauthUrl } = await enrolTotp(bed.ctx, actor, "ada@example.com");
  expect(otpauthUrl).toContain(secret);
  expect(await hasTotp(bed.ctx.db, actor.personId)).toBe(false);
  const wrong = confirmTotp(bed.ctx, sessionOf(actor), actor, wrongCodeOf(secret));
  await expect(wrong).rejects.toMatchObject({ code: "second_factor_wrong" });
  expect(await hasTotp(bed.ctx.db, actor.personId)).toBe(false);
  const { recoveryCodes } = await confirmTotp(bed.ctx, sessionOf(actor), actor, codeOf(secret));
  expect(recoveryCodes).toHaveLength(10);
  expect(await hasTotp(bed.ctx.db, actor.personId)).toBe(true);
  const [row] = await bed.database.sql<{ secret: string }>(
    "select secret from totp_factors where person_id = $1",
    [actor.personId],
  );
  expect(row?.secret).toMatch(/^enc1:test:/);
  const actions = await bed.database.sql<{ action: string }>(
    "select action from audit_entries where person_id = $1 order by id",
    [actor.personId],
  );
  expect(actions.map(({ action }) => action)).toEqual(["totp.enrol", "totp.confirm"]);
});

test("an enabled authenticator app cannot be replaced by enrolling again", async () => {
  const actor = await openPersonRow();
  const { secret } = await enable(actor);
  const refusal = { code: "totp_enabled" };
  await expect(enrolTotp(bed.ctx, actor, "ada@example.com")).rejects.toMatchObject(refusal);
  await expect(
    confirmTotp(bed.ctx, sessionOf(actor), actor, codeOf(secret, 1)),
  ).rejects.toMatchObject(refusal);
  expect(await check(actor, codeOf(secret, 1))).toBe("totp");
});

test("a code is accepted once, also when it arrives four times at once", async () => {
  const actor = await openPersonRow();
  const { secret } = await enable(actor);
  const code = codeOf(secret, 1);
  const results = await Promise.allSettled(Array.from({ length: 4 }, () => check(actor, code)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(check(actor, code)).rejects.toMatchObject({ code: "second_factor_wrong" });
});

test("a recovery code is accepted once, and of another person never", async () => {
  const [actor, other] = [await openPersonRow(), await openPersonRow()];
  const { recoveryCodes } = await enable(actor);
  await enable(other);
  const [first = "", second = ""] = recoveryCodes;
  expect(await check(actor, first.toLowerCase())).toBe("recovery_code");
  await expect(check(actor, first)).rejects.toMatchObject({ code: "second_factor_wrong" });
  await expect(check(other, second)).rejects.toMatchObject({ code: "second_factor_wrong" });
  expect(await countRecoveryCodes(bed.ctx.db, actor.personId)).toBe(9);
  const stored = await bed.database.sql<{ hash: Buffer }>("select hash from recovery_codes");
  for (const code of recoveryCodes)
    expect(stored.some(({ hash }) => hash.includes(code.replaceAll("-", "")))).toBe(false);
});

test("every fifth wrong code in a row locks, for twice as long each time up to an hour, and a right one starts over", async () => {
  const actor = await openPersonRow();
  const { secret, recoveryCodes } = await enable(actor);
  const wrong = wrongCodeOf(secret);
  const locks: (number | undefined)[] = [];
  for (let round = 0; round < 4; round++) {
    for (let index = 0; index < 4; index++)
      await expect(check(actor, wrong)).rejects.toMatchObject({ code: "second_factor_wrong" });
    await expect(check(actor, "not-a-code")).rejects.toSatisfy((error) => {
      locks.push((error as { retryAfterSeconds?: number }).retryAfterSeconds);
      return (error as { code: string }).code === "second_factor_locked";
    });
    // While it is locked even the right code is refused, and is not used up.
    const right = check(actor, recoveryCodes[0] ?? "");
    await expect(right).rejects.toMatchObject({ code: "second_factor_locked" });
    await unlock(actor);
  }
  expect(locks).toEqual([900, 1_800, 3_600, 3_600]);
  expect(await check(actor, recoveryCodes[0] ?? "")).toBe("recovery_code");
  await expect(check(actor, wrong)).rejects.toMatchObject({ code: "second_factor_wrong" });
});

test("wrong codes sent at once are all counted", async () => {
  const actor = await openPersonRow();
  const { secret } = await enable(actor);
  const wrong = wrongCodeOf(secret);
  const results = await Promise.allSettled(Array.from({ length: 12 }, () => check(actor, wrong)));
  const codes = results.map((each) => (each.status === "rejected" ? each.reason.code : "passed"));
  expect(codes.filter((code) => code === "second_factor_wrong")).toHaveLength(4);
  expect(codes.filter((code) => code === "second_factor_locked")).toHaveLength(8);
});

test("new recovery codes end the old ones", async () => {
  const actor = await openPersonRow();
  const { recoveryCodes } = await enable(actor);
  const renewed = await renewRecoveryCodes(bed.ctx, actor);
  await expect(check(actor, recoveryCodes[3] ?? "")).rejects.toMatchObject({
    code: "second_factor_wrong",
  });
  expect(await check(actor, renewed.recoveryCodes[3] ?? "")).toBe("recovery_code");
});

test("re-encryption moves every secret to the first key, a damaged one stops nobody, and codes still work", async () => {
  const [old, next] = ["old", "next"].map((id) => `${id} ${randomBytes(32).toString("base64")}`);
  await using other = await openTestBed({ KEY_RING: old ?? "" });
  const [good, damaged] = [await openPersonRow(other), await openPersonRow(other)];
  const { secret } = await enable(good, other);
  await enable(damaged, other);
  await other.database.sql(
    "update totp_factors set secret = 'enc1:old:AAAA' where person_id = $1",
    [damaged.personId],
  );
  const ring = parseKeyRing(`${next}\n${old}`);
  const done = await reencrypt(other.ctx.db, authenticatorSecrets, ring);
  expect(done).toMatchObject({ reencrypted: 1, failed: 1 });
  expect(done.failures).toEqual([
    { id: damaged.personId, reason: expect.stringContaining("damaged") },
  ]);
  const counts = new Map<string, number>();
  await countByKey(other.ctx.db, authenticatorSecrets, counts);
  expect(Object.fromEntries(counts)).toEqual({ next: 1, old: 1 });
  const keyRing = parseKeyRing(next ?? "");
  const checked = await other.ctx.db
    .transaction()
    .execute((tx) => checkCode(tx, keyRing, good.personId, codeOf(secret, 1)));
  expect(checked).toEqual({ kind: "passed", by: "totp" });
});
