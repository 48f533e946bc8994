import { createHash, randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createAccount } from "../../src/accounts/create-account.ts";
import { createKey } from "../../src/accounts/create-key.ts";
import { createTestAccount } from "../../src/accounts/create-test-account.ts";
import type { Caller } from "../../src/accounts/queries.ts";
import { newAssetId } from "../../src/assets/asset-id.ts";
import { addReview } from "../../src/assets/review/queries.ts";
import { insertUpload } from "../../src/assets/uploads/queries.ts";
import { recordAudit } from "../../src/audit/record-audit.ts";
import { grantCredits } from "../../src/credits/ledger.ts";
import { inTransaction } from "../../src/db/database.ts";
import { createTask } from "../../src/generation/create-task.ts";
import {
  type AccountId,
  type AssetId,
  type AuditId,
  type EndpointId,
  type KeyId,
  type LabelAgreementId,
  type LoggedRequestId,
  type NoteId,
  newId,
  type PersonId,
  type TaskId,
  type TransferId,
  type UploadId,
} from "../../src/ids.ts";
import { queueMail } from "../../src/mail/queue-mail.ts";
import { chunksOf, newChunkStem } from "../../src/media/storage/chunks.ts";
import { announceObjects, keepObject, storeFile } from "../../src/media/storage/objects.ts";
import { newPrivateKey } from "../../src/media/storage/storage.ts";
import { beginSession } from "../../src/people/begin-session.ts";
import { inviteMember } from "../../src/people/members/invite-member.ts";
import { insertMember } from "../../src/people/members/queries.ts";
import { insertPerson } from "../../src/people/queries.ts";
import { personActor } from "../../src/people/request-facts.ts";
import { finishTask } from "../../src/tasks/finish-task.ts";
import { saveInputs } from "../../src/tasks/queries.ts";
import { claimSubmit, recordSubmission } from "../../src/tasks/submit-queries.ts";
import { claimOf } from "./claim-of.ts";
import type { TestBed } from "./test-context.ts";

type KeyCaller = Caller & { keyId: KeyId };

export interface FullAccount {
  id: AccountId;
  testId: AccountId;
  name: string;
  caller: KeyCaller;
  /** The secrets that only the account may see, both as they are stored and as they were returned. */
  secrets: string[];
}

/** An account, and a test account of its, with a row or file of every kind; `mark` is in all that it wrote. */
export async function openFullAccount(bed: TestBed, mark: string): Promise<FullAccount> {
  const { ctx, database } = bed;
  const name = `${mark}-name`;
  const { accountId: id } = await createAccount(ctx, { name });
  const { accountId: testId } = await createTestAccount(ctx, id);
  const secretOf = "select webhook_secret as stored from accounts where id = $1";
  const [secret] = await database.sql<{ stored: string }>(secretOf, [id]);
  const rotate = "update accounts set webhook_secret_before = $2 where id = $1";
  await database.sql(rotate, [id, `whsec_${mark}`]);
  const live = await createKey(ctx.db, { accountId: id, name: `${mark}-key` });
  const testName = `${mark}-test-key`;
  const test = await createKey(ctx.db, { accountId: testId, name: testName, mode: "test" });
  const caller = await fill(bed, { id, keyId: live.keyId }, mark);
  await fill(bed, { id: testId, keyId: test.keyId }, mark);
  await fillAgreement(bed, id);
  await fillPeople(bed, id, mark);
  const keys = [live.key, test.key];
  const hashes = keys.map((key) => createHash("sha256").update(key).digest("hex"));
  const secrets = [secret?.stored ?? "", ...keys, ...hashes];
  return { id, testId, name, caller, secrets };
}

/** Adds an agreement and an output that was freed by it. It has no mark: both outlive the account for a time. */
async function fillAgreement({ database }: TestBed, accountId: AccountId): Promise<void> {
  const agreement = `insert into label_agreements (id, account_id, agreed_by, agreed_at, text, recorded_kind, recorded_by)
    values ($1, $2, 'the legal department', now(), 'We label.', 'command', 'root')`;
  const agreementId = newId<LabelAgreementId>(0);
  await database.sql(agreement, [agreementId, accountId]);
  const freed = `insert into freed_outputs (task_id, number, account_id, agreement_id, sha256, delivered_at)
    select id, 0, account_id, $2, decode(output -> 0 ->> 'sha256', 'hex'), completed_at
    from tasks where account_id = $1 and output is not null`;
  await database.sql(freed, [accountId, agreementId]);
}

/** Adds a person who is in this account alone, with a session, and one who is invited. */
async function fillPeople(bed: TestBed, accountId: AccountId, mark: string): Promise<void> {
  const person = { id: newId<PersonId>(0), email: `${mark}-person@example.com` };
  const facts = {
    address: "192.0.2.1",
    network: "192.0.2.1",
    deviceToken: null,
    userAgent: `${mark}-browser`,
    requestId: randomUUID(),
  };
  await inTransaction(bed.ctx.db, async (tx) => {
    await insertPerson(tx, {
      ...person,
      name: `${mark}-person`,
      language: "en",
      passwordHash: `${mark}-password`,
    });
    await insertMember(tx, { accountId, personId: person.id, role: "owner" });
    await beginSession(tx, person.id, facts);
    await recordAudit(tx, personActor(person.id, facts), {
      accountId: null,
      action: "person.change",
      object: person.id,
      after: { name: `${mark}-person` },
    });
    const content = { kind: "text", subject: mark, text: `${mark}-text` } as const;
    await queueMail(tx, { recipient: person.email, content, hoursMax: 1 });
  });
  await fillFactors(bed, person.id, mark);
  const invited = { accountId, email: `${mark}-invited@example.com`, role: "viewer" } as const;
  await inviteMember(bed.ctx, personActor(person.id, facts), invited);
}

async function fillFactors({ database }: TestBed, personId: PersonId, mark: string): Promise<void> {
  const rows = [
    "insert into totp_factors (person_id, secret) values ($1, $2)",
    "insert into recovery_codes (person_id, hash) values ($1, $2::text::bytea)",
    `insert into passkeys (id, person_id, credential_id, public_key, counter, transports, name)
     values (gen_random_uuid(), $1, $2::text::bytea, '', 0, '{}', $2)`,
    `insert into oidc_identities (id, person_id, issuer, subject, email)
     values (gen_random_uuid(), $1, 'https://provider.example', $2, $2)`,
  ];
  for (const row of rows) await database.sql(row, [personId, `${mark}-factor`]);
}

/** Gives an account something of everything. */
async function fill(
  bed: TestBed,
  key: Pick<KeyCaller, "id" | "keyId">,
  mark: string,
): Promise<KeyCaller> {
  const { ctx, database } = bed;
  const all = { priceBook: null, models: null, requestsPerMinuteMax: null, scopes: null };
  const caller: KeyCaller = { ...key, ...all };
  await grantCredits(ctx.pool, { accountId: key.id, credits: 10_000, note: `${mark}-note` });
  await runTasks(bed, caller, mark);
  await fillLibrary(bed, caller, mark);
  const stuck = `insert into stuck_rows (loop, key, account_id, failures, next_try_at, reason)
    values ('deliveries', $1, $2, 1, 'infinity', $3)`;
  await database.sql(stuck, [randomUUID(), caller.id, `${mark}-stuck`]);
  const attempt = `insert into attempts (delivery_id, number, started_at, status, reason)
    select id, 1, now(), 500, $2 from deliveries where account_id = $1`;
  await database.sql(attempt, [caller.id, `${mark}-attempt`]);
  await database.sql("insert into account_allowances values ($1, 'events', 1, now())", [caller.id]);
  const endpoint = `insert into webhook_endpoints (id, account_id, url, description, secret)
    values ($1, $2, $3, $4, $5) returning id`;
  const endpointUrl = `https://example.com/${mark}-endpoint`;
  const values = [caller.id, endpointUrl, `${mark}-description`, `whsec_${mark}`];
  const endpointId = newId<EndpointId>(0);
  await database.sql(endpoint, [endpointId, ...values]);
  const health = "insert into endpoint_health values ($1, 500, $2, now(), 1, now(), now())";
  await database.sql(health, [endpointId, `${mark}-health`]);
  await database.sql("insert into key_uses values ($1, now())", [caller.keyId]);
  const request = `insert into logged_requests
    values ($1, 0, $2, $3, null, 'GET', $4, 200, null, $5, 1)`;
  const requestIds = [newId<LoggedRequestId>(0), caller.id, caller.keyId];
  await database.sql(request, [...requestIds, `/${mark}-route`, randomUUID()]);
  await database.sql("insert into upscale_turns values ($1, now())", [caller.id]);
  const note = `insert into account_notes (id, account_id, actor_kind, actor, note)
    values ($1, $2, 'command', 'root', $3)`;
  await database.sql(note, [newId<NoteId>(0), caller.id, `${mark}-account-note`]);
  const grant = `insert into grants (id, account_id, kind, credits, reason, status, asked_kind, asked_by, idempotency_key)
    values ($1, $2, 'grant', 1, $3, 'rejected', 'command', 'root', $3)`;
  await database.sql(grant, [newId<TransferId>(0), caller.id, `${mark}-grant`]);
  const audit = `insert into audit_entries (id, account_id, actor_kind, actor, action, object, before, after, reason)
    values ($1, $2, 'command', 'root', 'account.rename', 'it', $3, $3, $4)`;
  const named = JSON.stringify({ name: `${mark}-before` });
  await database.sql(audit, [newId<AuditId>(0), caller.id, named, `${mark}-reason`]);
  return caller;
}

/** One task that was completed, one that failed; both were submitted and called back. */
async function runTasks(bed: TestBed, caller: Caller, mark: string): Promise<void> {
  const { ctx } = bed;
  const create = async (what: string) => {
    const inputs = { prompt: `${mark}-${what}` };
    const callBackUrl = `https://example.com/${mark}-callback`;
    const body = { model: "sd2", callBackUrl, inputs };
    const { taskId } = await createTask(ctx, caller, body, `${mark}-${what}-idempotency`);
    const claim = await claimSubmit(ctx.pool, claimOf(taskId));
    if (claim === undefined) throw new Error("unreachable");
    const submit = { taskId, ...claim, vendorJobId: randomUUID(), detail: `${mark}-detail` };
    await recordSubmission(ctx.db, { ...submit, outcome: "accepted" });
    return taskId;
  };
  const completed = await create("completed");
  const pinned = await store(bed, `${mark}-input`, "png");
  await saveInputs(ctx.db, completed, [{ ...pinned, param: "inputs.urls[0]" }]);
  const made = await store(bed, `${mark}-output`, "mp4");
  const output = [{ ...made, width: 1280, height: 720, durationMs: 5_000 }];
  await finishTask(ctx, completed, { kind: "completed", output });
  const message = `The file https://example.com/${mark}-input is at fault.`;
  const failed: TaskId = await create("failed");
  await finishTask(ctx, failed, { kind: "failed", code: "vendor_failed", message });
}

async function fillLibrary(bed: TestBed, caller: Caller, mark: string): Promise<void> {
  const { ctx, database } = bed;
  const copy = await store(bed, `${mark}-asset`, "png", newPrivateKey("png"));
  const [asset] = await database.sql<{ id: AssetId }>(
    `insert into assets (account_id, upstream_asset_id, type, status, content_type, size_bytes, width, height,
                         storage_key, sha256, name, url, vendor_asset_id)
     values ($1, $2, 'IMAGE', 'ACTIVE', 'image/png', $3, 640, 480, $4, $5, $6, $7, $8) returning id`,
    [
      caller.id,
      newAssetId(new Date()),
      copy.sizeBytes,
      copy.key,
      copy.sha256,
      `${mark}-asset`,
      `https://example.com/${mark}-asset.png`,
      `${mark}-vendor-asset`,
    ],
  );
  if (asset === undefined) throw new Error("unreachable");
  const review = { actor: "somebody", verdict: "passed" as const, reason: `${mark}-review` };
  await addReview(ctx.db, asset.id, review);
  const form = await store(bed, `${mark}-form`, "png", newPrivateKey("png"));
  await database.sql(
    `insert into asset_declarations (asset_id, account_id, people, purpose, form_key, form_type, form_sha256)
     values ($1, $2, $3, $4, $5, 'image/png', $6)`,
    [asset.id, caller.id, `${mark}-people`, `${mark}-purpose`, form.key, form.sha256],
  );
  const recent = JSON.stringify([{ assetId: asset.id, reason: `${mark}-refusal`, at: 0 }]);
  const ended = "insert into account_reviews (account_id, refused, recent) values ($1, 1, $2)";
  await database.sql(ended, [caller.id, recent]);
  const waiting =
    "insert into open_reviews (asset_id, account_id, place_at) values ($1, $2, now())";
  await database.sql(waiting, [asset.id, caller.id]);
  const bytes = Buffer.from(`${mark}-chunk`);
  const upload = {
    id: newId<UploadId>(0),
    account_id: caller.id,
    type: "VIDEO" as const,
    name: `${mark}-upload`,
    size_bytes: bytes.length,
    sha256: null,
    chunk_bytes: bytes.length,
    chunk_stem: newChunkStem(),
  };
  await insertUpload(ctx.db, upload, 60_000);
  const keys = chunksOf(upload.chunk_stem, bytes.length, bytes.length).map(({ key }) => key);
  await announceObjects(ctx.db, keys, 60_000);
  for (const key of keys)
    await ctx.storage.receiveChunk?.(key, Readable.from([bytes]), bytes.length);
}

/** Stores a file with this text. */
async function store(bed: TestBed, text: string, extension: string, key?: string) {
  const path = join(tmpdir(), `zoetrope-${randomUUID()}`);
  await writeFile(path, text);
  const sha256 = createHash("sha256").update(text).digest("hex");
  const facts = { contentType: "image/png", sizeBytes: Buffer.byteLength(text), sha256 };
  const stored = await storeFile(bed.ctx, path, extension, facts, key);
  await keepObject(bed.ctx.db, stored, null);
  await rm(path);
  return { key: stored, ...facts };
}
