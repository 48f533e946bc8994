import { afterAll, beforeAll, expect, test } from "vitest";
import {
  declareAsset,
  declaredWords,
  pdfForm,
  sendUpload,
} from "../../../test/harness/declared-asset.ts";
import { paint } from "../../../test/harness/library-bed.ts";
import { openPerson, type TestPerson } from "../../../test/harness/open-person.ts";
import { passMinutes } from "../../../test/harness/review-bed.ts";
import { openUploadBed, type UploadBed } from "../../../test/harness/upload-bed.ts";
import type { AssetId } from "../../ids.ts";
import { reviewAsset } from "./review-asset.ts";
import type { Decision, QueueItem } from "./schema.ts";

let uploads: UploadBed;
let image: Buffer;
let reviewer: TestPerson;
let other: TestPerson;
let support: TestPerson;
beforeAll(async () => {
  uploads = await openUploadBed("a folder", { REVIEW_IMAGE: "manual" });
  image = await paint();
  reviewer = await openPerson(uploads.bed, { staff: "reviewer" });
  other = await openPerson(uploads.bed, { staff: "reviewer" });
  support = await openPerson(uploads.bed, { staff: "support" });
});
afterAll(() => uploads[Symbol.asyncDispose]());

async function openDeclared() {
  const sender = await uploads.openSender();
  const { assetId } = await declareAsset(uploads, sender, image, pdfForm);
  return { sender, assetId };
}

const path = () => `${uploads.apiUrl}/api/admin/v1/review`;

async function read<Item>(person: TestPerson, below: string, assetId: AssetId) {
  const answer = await fetch(`${path()}${below}`, { headers: person.headers });
  const { items } = (await answer.json()) as { items: (Item & { assetId: number })[] };
  const item = items.find((one) => one.assetId === assetId);
  expect(item, JSON.stringify(items)).toBeDefined();
  return item as Item;
}

async function write(person: TestPerson, below: string, body: object) {
  const answer = await fetch(`${path()}/${below}`, {
    method: "POST",
    headers: { ...person.headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(answer.status, below).toBe(200);
  return (await answer.json()) as { items: QueueItem[] };
}

async function claim(person: TestPerson, assetId: AssetId) {
  const { items } = await write(person, "claim", { assetId });
  const { mediaUrl, declaration } = items[0] as QueueItem;
  return { media: String(mediaUrl), form: String(declaration?.formUrl) };
}

const open = (url: string, person?: TestPerson) =>
  fetch(url, { headers: person?.headers ?? {}, redirect: "manual" });
const statusOf = async (url: string, person?: TestPerson) => (await open(url, person)).status;

const auditOf = (assetId: AssetId) =>
  uploads.bed.database.sql(
    "select action, actor, account_id, as_staff from audit_entries where object = $1 order by id",
    [String(assetId)],
  );

test("who has not claimed an asset is told that it waits, and neither sees nor opens what its owner sent", async () => {
  const { assetId } = await openDeclared();
  const links = await claim(reviewer, assetId);
  for (const person of [support, other]) {
    const item = await read<QueueItem>(person, "?limit=50", assetId);
    expect(item).toMatchObject({
      type: "IMAGE",
      waitingSince: expect.any(Number),
      claim: { isMine: false },
      name: null,
      mediaUrl: null,
      declaration: null,
      reviews: [],
    });
    expect(JSON.stringify(item)).not.toMatch(/Ada Lovelace|signature|review\/(media|form)/);
  }
  for (const link of [links.media, links.form]) {
    expect(await statusOf(link, support)).toBe(403);
    expect(await statusOf(link, other)).toBe(409);
  }
  expect(await auditOf(assetId)).toEqual([]);
});

test("who has claimed it opens the file and the form in the own session, and reading the form is on record", async () => {
  const { assetId, sender } = await openDeclared();
  const links = await claim(reviewer, assetId);
  const item = await read<QueueItem>(reviewer, "?limit=50", assetId);
  expect(item.declaration).toMatchObject({ ...declaredWords, formType: "application/pdf" });
  const media = await open(links.media, reviewer);
  expect(Buffer.from(await media.arrayBuffer())).toEqual(image);
  expect(media.headers.get("cache-control")).toBe("private, no-store");
  expect(await auditOf(assetId)).toEqual([]);
  const form = await open(links.form, reviewer);
  expect(Buffer.from(await form.arrayBuffer())).toEqual(pdfForm);
  expect(Object.fromEntries(form.headers)).toMatchObject({
    "content-type": "application/octet-stream",
    "content-disposition": expect.stringContaining("attachment"),
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-store",
  });
  expect(await auditOf(assetId)).toEqual([
    {
      action: "declaration.read",
      actor: reviewer.personId,
      account_id: sender.account.id,
      as_staff: true,
    },
  ]);
});

test("the links open nothing without the cookie, nor after the claim has ended", async () => {
  const { assetId } = await openDeclared();
  const links = await claim(reviewer, assetId);
  for (const link of [links.media, links.form]) expect(await statusOf(link)).toBe(401);
  await write(reviewer, "release", { assetIds: [assetId] });
  for (const link of [links.media, links.form]) expect(await statusOf(link, reviewer)).toBe(409);
  await claim(reviewer, assetId);
  expect(await statusOf(links.media, reviewer)).toBe(200);
  await passMinutes(uploads.bed, 6);
  for (const link of [links.media, links.form]) expect(await statusOf(link, reviewer)).toBe(409);
  expect(await auditOf(assetId)).toEqual([]);
});

test("the file of a refusal that can be undone is its reviewer's alone; that of an approved asset is the reviewers'", async () => {
  const { assetId } = await openDeclared();
  const links = await claim(reviewer, assetId);
  await write(reviewer, "refuse", { assetId, code: "violence" });
  const own = await read<Decision>(reviewer, "/decisions", assetId);
  expect(own.asset?.mediaUrl).toBe(links.media);
  expect(await statusOf(links.media, reviewer)).toBe(200);
  expect(await statusOf(links.form, reviewer)).toBe(409);
  const seen = await read<Decision>(other, "/decisions", assetId);
  expect(seen.asset?.mediaUrl).toBe(null);
  expect(await statusOf(links.media, other)).toBe(409);
  await write(reviewer, "undo", { assetId });
  await write(reviewer, "approve", { assetId });
  await reviewAsset(uploads.bed.ctx, assetId);
  expect((await read<Decision>(other, "/decisions", assetId)).asset?.mediaUrl).toBe(links.media);
  expect(await statusOf(links.media, other)).toBe(200);
  const reported = await read<Decision>(support, "/decisions", assetId);
  expect(reported).toMatchObject({ asset: { status: "ACTIVE", name: null, mediaUrl: null } });
  expect(await statusOf(links.media, support)).toBe(403);
});

test("a reviewer opens no file that was never in the queue", async () => {
  const sender = await uploads.openSender();
  const { body } = await sender.complete(await sendUpload(sender, image, "IMAGE"));
  const url = `${path()}/media?assetId=${body["assetId"]}`;
  expect(await statusOf(url, reviewer)).toBe(409);
  expect(await statusOf(`${path()}/media?assetId=999999999`, reviewer)).toBe(409);
});
