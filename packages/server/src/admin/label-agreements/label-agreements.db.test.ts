import assert from "node:assert";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminBed, admin, openAdminBed } from "../../../test/harness/admin-bed.ts";
import { endings } from "../../../test/harness/endings.ts";
import { openPerson } from "../../../test/harness/open-person.ts";
import { createTestAccount } from "../../accounts/create-test-account.ts";
import { createTask } from "../../generation/create-task.ts";
import type { AccountId } from "../../ids.ts";
import { findLabelAgreement } from "../../labels/agreements/queries.ts";
import { finishTask } from "../../tasks/finish-task.ts";

let opened: AdminBed;
let bed: AdminBed["bed"];
let call: AdminBed["call"];
let operator: AdminBed["operator"];
let other: AdminBed["other"];
let support: AdminBed["support"];
beforeAll(async () => {
  opened = await openAdminBed();
  ({ bed, call, operator, other, support } = opened);
});
afterAll(() => opened[Symbol.asyncDispose]());

const text = "We label what we publish. 我们自行标识。";
const agreedAt = Date.UTC(2026, 0, 31, 12);
const body = { agreedBy: "Example Co., legal department", agreedAt, text };
const sha256 = createHash("sha256").update(text).digest("hex");
const reason = { reason: "the contract ended" };
const of = (id: AccountId) => `${admin}/accounts/${id}/label-agreements`;

test("an agreement is recorded with who agreed, when, the text and the operator, and stays readable after its end", async () => {
  const { id } = await bed.openAccount();
  const recorded = await call(operator, "POST", of(id), body);
  expect(recorded.status).toBe(200);
  const { agreementId } = recorded.body;
  expect(await findLabelAgreement(bed.ctx.db, id)).toEqual({ agreementId });
  const live = {
    ...body,
    agreementId,
    sha256,
    recordedAt: expect.any(Number),
    recordedBy: { kind: "person", id: operator.personId, name: "Test" },
  };
  const list = async () => (await call(support, "GET", of(id))).body;
  expect(await list()).toEqual({
    items: [{ ...live, endedAt: null, endedBy: null, endReason: null }],
    nextCursor: null,
  });
  for (let time = 0; time < 2; time++)
    expect((await call(other, "POST", `${of(id)}/${agreementId}/end`, reason)).status).toBe(200);
  expect(await findLabelAgreement(bed.ctx.db, id)).toBeNull();
  const ended = {
    endedAt: expect.any(Number),
    endedBy: { kind: "person", id: other.personId, name: "Test" },
    endReason: reason.reason,
  };
  expect(await list()).toEqual({ items: [{ ...live, ...ended }], nextCursor: null });
  const { items } = (await call(support, "GET", `${admin}/audit?accountId=${id}`)).body;
  expect(items).toMatchObject([
    {
      action: "label_agreement.end",
      object: agreementId,
      before: { isLive: true },
      after: { isLive: false },
      reason: reason.reason,
      actor: { id: other.personId },
    },
    {
      action: "label_agreement.record",
      object: agreementId,
      before: null,
      after: { agreedBy: body.agreedBy, agreedAt: "2026-01-31T12:00:00.000Z", sha256 },
      actor: { id: operator.personId },
    },
  ]);
  expect(items).toHaveLength(2);
});

test("an account has one live agreement, also when two operators record one at once", async () => {
  const { id } = await bed.openAccount();
  const both = await Promise.all([
    call(operator, "POST", of(id), body),
    call(other, "POST", of(id), body),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refused = both.find(({ status }) => status === 409);
  expect(refused?.body.code).toBe("label_agreement_live");
  const { items } = (await call(operator, "GET", of(id))).body;
  await call(operator, "POST", `${of(id)}/${items[0].agreementId}/end`, reason);
  expect((await call(operator, "POST", of(id), body)).status).toBe(200);
  expect((await call(operator, "GET", `${of(id)}?limit=1`)).body.nextCursor).not.toBeNull();
});

test("what is incomplete, in the future, of a test account or of another account is refused, and changes nothing", async () => {
  const { id } = await bed.openAccount();
  const neighbour = await bed.openAccount();
  const { accountId: testId } = await createTestAccount(bed.ctx, id);
  const { agreementId } = (await call(operator, "POST", of(neighbour.id), body)).body;
  for (const wrong of [
    { ...body, agreedBy: " " },
    { ...body, text: "" },
    { ...body, agreedAt: Date.now() + 24 * 60 * 60_000 },
    { agreedBy: body.agreedBy, text },
  ])
    expect(await call(operator, "POST", of(id), wrong)).toMatchObject({ status: 400 });
  expect(await call(operator, "POST", of(testId), body)).toMatchObject({ status: 400 });
  for (const path of [`${of(id)}/${agreementId}/end`, `${of(id)}/x/end`])
    expect(await call(operator, "POST", path, reason)).toMatchObject({
      status: 404,
      body: { code: "label_agreement_not_found" },
    });
  expect(await findLabelAgreement(bed.ctx.db, id)).toBeNull();
  expect(await findLabelAgreement(bed.ctx.db, neighbour.id)).toEqual({ agreementId });
});

test("an owner reads the live agreement and that operators recorded it, but not who", async () => {
  const { id } = await bed.openAccount();
  const owner = await openPerson(bed, { role: "owner", accountId: id });
  const read = async () => (await call(owner, "GET", "/api/v1/account/label-agreement")).body;
  expect(await read()).toEqual({ agreement: null });
  const { agreementId } = (await call(operator, "POST", of(id), body)).body;
  expect(await read()).toEqual({
    agreement: { ...body, agreementId, sha256, recordedAt: expect.any(Number) },
  });
  const { items } = (await call(owner, "GET", "/api/v1/account/audit")).body;
  expect(items).toMatchObject([
    { action: "label_agreement.record", actor: { kind: "operator", id: null, name: null } },
  ]);
  await call(operator, "POST", `${of(id)}/${agreementId}/end`, reason);
  expect(await read()).toEqual({ agreement: null });
});

test("staff read page by page what was delivered under an agreement", async () => {
  const account = await bed.openAccount({ credits: 1_000 });
  const { agreementId } = (await call(operator, "POST", of(account.id), body)).body;
  assert(endings.COMPLETED.kind === "completed");
  const output = [0, 1]
    .map((n) => `${n}${n}`.repeat(32))
    .flatMap((sha256) =>
      endings.COMPLETED.kind === "completed"
        ? endings.COMPLETED.output.map((video) => ({
            ...video,
            sha256,
            labelAgreementId: agreementId,
          }))
        : [],
    );
  const request = { model: "sd2", inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, account, request, null);
  await finishTask(bed.ctx, taskId, { kind: "completed", output });
  const url = `${admin}/accounts/${account.id}/freed-outputs`;
  const first = (await call(support, "GET", `${url}?limit=1`)).body;
  const row = { taskId, agreementId, deliveredAt: expect.any(Number) };
  expect(first.items).toEqual([{ ...row, number: 1, sha256: "11".repeat(32) }]);
  const next = (await call(support, "GET", `${url}?limit=1&cursor=${first.nextCursor}`)).body;
  expect(next).toEqual({
    items: [{ ...row, number: 0, sha256: "00".repeat(32) }],
    nextCursor: null,
  });
  expect((await call(support, "GET", `${url}?cursor=x`)).status).toBe(400);
});
