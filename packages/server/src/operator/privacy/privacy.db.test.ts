import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { childEnv, runCommand } from "@zoetrope/dev/services/command-line.ts";
import { findPrograms } from "@zoetrope/dev/services/find-program.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FullAccount, openFullAccount } from "../../../test/harness/full-account.ts";
import { openPerson } from "../../../test/harness/open-person.ts";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { createKey } from "../../accounts/create-key.ts";
import { createTestAccount } from "../../accounts/create-test-account.ts";
import { findEndedKeys } from "../../accounts/queries.ts";
import { uploadAsset } from "../../assets/upload-asset.ts";
import type { ShardContext } from "../../context.ts";
import { openConnections } from "../../db/connections.ts";
import { openDatabase } from "../../db/database.ts";
import type { Database } from "../../db/schema.ts";
import { createTask } from "../../generation/create-task.ts";
import type { PersonId } from "../../ids.ts";
import { forgetFreedOutputs } from "../../labels/agreements/queries.ts";
import { verifyLedger } from "../../ledger-checks/verify-ledger.ts";
import type { Storage } from "../../media/storage/storage.ts";
import { inviteMember } from "../../people/members/invite-member.ts";
import { finishTask } from "../../tasks/finish-task.ts";
import { eraseAccount } from "./erase-account.ts";
import { exportAccount, type Manifest } from "./export-account.ts";
import { kinds } from "./export-rows.ts";

const body = { model: "sd2", inputs: { prompt: "a fox" } };

let bed: TestBed;
let owner: Kysely<Database>;
let asOwner: ShardContext;
let scratch: Scratch;
beforeAll(async () => {
  const ark = { name: "ark", kind: "ark", baseUrl: "http://127.0.0.1:9", apiKey: "none" };
  bed = await openTestBed({ VENDORS: JSON.stringify([ark]) });
  const pool = openConnections(bed.database.ownerUrl, 2, "owner");
  owner = openDatabase(pool);
  asOwner = { db: owner, directory: { pool, db: owner, shard: owner }, config: bed.ctx.config };
  scratch = await makeScratch("privacy");
});
afterAll(async () => {
  await owner.destroy();
  await bed[Symbol.asyncDispose]();
  await scratch.remove();
});

const erase = (account: FullAccount, storage: Storage = bed.ctx.storage) =>
  eraseAccount({ ...asOwner, storage, onVendorAsset: () => {} }, account.id, account.name);

/** Every line of a dump of the database, and every file in storage, that has this text. */
async function traces(text: string): Promise<string[]> {
  const { pg_dump } = await findPrograms(["pg_dump"]);
  const dump = await runCommand(pg_dump, ["--inserts", bed.database.ownerUrl]);
  const found = dump.split("\n").filter((line) => line.includes(text));
  const files = await readdir(bed.storageDir, { recursive: true, withFileTypes: true });
  for (const file of files.filter((each) => each.isFile())) {
    const path = join(file.parentPath, file.name);
    if ((await readFile(path)).includes(text)) found.push(path);
  }
  return found.sort();
}

test("of an erased account nothing that it wrote, made, stored or was called is left; of its neighbour everything", async () => {
  const erased = await openFullAccount(bed, "planted");
  const neighbour = await openFullAccount(bed, "neighbour");
  const kept = await traces("neighbour");
  expect((await traces("planted")).length).toBeGreaterThan(40);
  const stored = await Promise.all(erased.secrets.map(traces));
  expect(stored.filter((lines) => lines.length > 0)).toHaveLength(3); // its secret, and two hashes
  const vendorAssets: string[] = [];
  const onVendorAsset = (id: string) => vendorAssets.push(id);
  const ctx = { ...asOwner, storage: bed.ctx.storage, onVendorAsset };
  expect(await eraseAccount(ctx, erased.id, erased.name)).toEqual({
    kind: "erased",
    counts: {
      keys: 2,
      tasks: 4,
      files: 8,
      assets: 2,
      uploads: 2,
      endpoints: 2,
      deliveries: 4,
      events: 4,
      "idempotency-keys": 4,
      notes: 6,
      audit: 3,
      usage: 8,
      people: 1,
    },
    kept: { outputs: 1, until: expect.any(Date) },
  });
  expect(vendorAssets).toHaveLength(2);
  expect(await traces("planted")).toEqual([]);
  for (const secret of erased.secrets) expect(await traces(secret)).toEqual([]);
  expect(await traces("neighbour")).toEqual(kept);
  expect(
    await findEndedKeys(bed.ctx.pool, [{ keyId: erased.caller.keyId, scopes: null }]),
  ).toHaveLength(1); // its streams end
  expect(
    await findEndedKeys(bed.ctx.pool, [{ keyId: neighbour.caller.keyId, scopes: null }]),
  ).toHaveLength(0);
});

test("the ledger of an erased account and its lots are the same and are proven, but for its notes", async () => {
  const account = await openFullAccount(bed, "ledger");
  const read = () =>
    bed.database.sql(
      `select account_id, number, kind, amount, credits_after, held_after from transfers
       where account_id in ('${account.id}', '${account.testId}') order by account_id, number`,
    );
  const readLots = () =>
    bed.database.sql(
      `select l.id, source, l.credits, credits_left, u.cause_id, u.credits as used
       from lots l join lot_uses u on u.lot_id = l.id
       where l.account_id in ('${account.id}', '${account.testId}') order by l.id, u.cause_id`,
    );
  const [before, lots] = [await read(), await readLots()];
  await erase(account);
  expect(before).toHaveLength(10);
  expect(await read()).toEqual(before);
  expect(lots).toHaveLength(2);
  expect(await readLots()).toEqual(lots);
  expect((await verifyLedger(bed.ctx.pool)).breaches).toEqual([]);
  const named = await bed.database.sql("select name from accounts where name like 'ledger%'");
  expect(named).toEqual([]);
});

test("a note is the only thing in the ledger that its owner can empty, and none can be changed", async () => {
  const { id } = await openFullAccount(bed, "note");
  const change = (what: string) =>
    bed.database.sql(`update transfers set ${what} where account_id = '${id}' and kind = 'grant'`);
  for (const what of ["note = 'another'", "note = null, amount = 5", "amount = 5"])
    await expect(change(what), what).rejects.toThrow("never changed");
  await change("note = null");
});

test("an erasure that was cut off at any file is completed by the next one", async () => {
  const account = await openFullAccount(bed, "cutoff");
  const failing = (removals: number): Storage => {
    let left = removals;
    const remove = async (key: string) => {
      left -= 1;
      if (left < 0) throw new Error("the storage is gone");
      await bed.ctx.storage.remove(key);
    };
    return { ...bed.ctx.storage, remove };
  };
  for (let removals = 0; removals < 3; removals++)
    await expect(erase(account, failing(removals))).rejects.toThrow("the storage is gone");
  expect(await erase(account)).toMatchObject({ kind: "erased" });
  expect(await traces("cutoff")).toEqual([]);
  // The name is gone, so that there is nothing to confirm: nothing is found to erase.
  expect(await erase(account)).toMatchObject({ kind: "erased", counts: { files: 0, assets: 0 } });
});

test("while a task is open the account is closed and nothing is erased; then it is", async () => {
  const account = await openFullAccount(bed, "working");
  const { taskId } = await createTask(bed.ctx, account.caller, body, null);
  const before = (await traces("working")).length;
  expect(await erase(account)).toMatchObject({ kind: "open", tasks: 1 });
  expect((await traces("working")).length).toBe(before);
  await expect(createTask(bed.ctx, account.caller, body, null)).rejects.toMatchObject({
    code: "unauthorized",
  });
  await finishTask(bed.ctx, taskId, { kind: "failed", code: "task_expired" });
  expect(await erase(account)).toMatchObject({ kind: "erased" });
  expect(await traces("working")).toEqual([]);
});

test("a closed account takes no key, no test account, no asset and no task", async () => {
  const account = await bed.openAccount();
  await eraseAccount(
    { ...asOwner, storage: bed.ctx.storage, onVendorAsset: () => {} },
    account.id,
    "test",
  );
  const key = createKey(bed.ctx.db, { accountId: account.id, name: "late" });
  await expect(key).rejects.toThrow("closed");
  await expect(createTestAccount(bed.ctx, account.id)).rejects.toThrow("There is no account");
  const asset = { url: "https://example.com/a.png", type: "IMAGE" as const };
  const refusal = { code: "unauthorized" };
  await expect(uploadAsset(bed.ctx, account, asset)).rejects.toMatchObject(refusal);
  await expect(createTask(bed.ctx, account, body, null)).rejects.toMatchObject(refusal);
});

test("another name than the account's, or a test account's id, changes nothing", async () => {
  const account = await openFullAccount(bed, "named");
  const before = await traces("named");
  expect(await erase({ ...account, name: "named" })).toEqual({
    kind: "refused",
    reason: "another name",
  });
  expect(await erase({ ...account, id: account.testId })).toEqual({
    kind: "refused",
    reason: "is a test account",
  });
  expect(await traces("named")).toEqual(before);
});

const ofLive = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [`${name}.jsonl`, count]));

test("an export has every row and file of an account and of its test account, and no secret", async () => {
  const account = await openFullAccount(bed, "exported");
  await openFullAccount(bed, "somebody-else");
  const dir = join(scratch.path, "export");
  const manifest = (await exportAccount(bed.ctx, account.id, dir)) as Manifest;
  const rows = Object.fromEntries(
    Object.entries(manifest.documents).map(([path, written]) => [path, written.rows]),
  );
  const expected = {
    "account.jsonl": 1,
    "keys.jsonl": 1,
    "transfers.jsonl": 5,
    "lots.jsonl": 1,
    "lot-uses.jsonl": 1,
    "tasks.jsonl": 2,
    "idempotency-keys.jsonl": 2,
    "events.jsonl": 2,
    "deliveries.jsonl": 2,
    "assets.jsonl": 1,
    "declarations.jsonl": 1,
    "uploads.jsonl": 1,
    "files.jsonl": 5,
    "usage-hours.jsonl": 2,
    "usage-days.jsonl": 2,
    "account-notes.jsonl": 1,
    "grants.jsonl": 1,
    "label-agreements.jsonl": 1,
    "freed-outputs.jsonl": 1,
    "webhook-endpoints.jsonl": 1,
    "logged-requests.jsonl": 1,
    "members.jsonl": 1,
    "one-time-links.jsonl": 1,
    "audit-entries.jsonl": 2,
  };
  // Its people and its agreement are those of the live account.
  const live = {
    members: 0,
    "one-time-links": 0,
    "audit-entries": 1,
    "label-agreements": 0,
    "freed-outputs": 0,
  };
  const ofTest = Object.entries({ ...expected, ...ofLive(live) }).map(([path, count]) => [
    `test/${path}`,
    count,
  ]);
  expect(rows).toEqual({ ...expected, ...Object.fromEntries(ofTest) });
  expect(manifest.files).toMatchObject({ stored: 10, missing: 0, different: 0 });
  const all: string[] = [];
  for (const [path, { sha256 }] of Object.entries(manifest.documents)) {
    const bytes = await readFile(join(dir, path));
    expect(createHash("sha256").update(bytes).digest("hex"), path).toBe(sha256);
    all.push(bytes.toString());
  }
  const files = all.join("").match(/"path":"[^"]+"/g) ?? [];
  for (const line of files) {
    const text = await readFile(join(dir, line.slice(8, -1)), "utf8");
    expect(text).toMatch(/^exported-(output|input|asset|form|chunk)$/);
  }
  for (const secret of [...account.secrets, "whsec_", "somebody-else"])
    expect(all.join("")).not.toContain(secret);
  await expect(exportAccount(bed.ctx, account.id, dir)).rejects.toThrow("EEXIST");
});

test("a stored file that is no longer there is listed as missing, and the export goes on", async () => {
  const account = await openFullAccount(bed, "missing");
  const [output] = await bed.database.sql<{ key: string }>(
    `select output -> 0 ->> 'key' as key from tasks where account_id = '${account.id}' and output is not null`,
  );
  await bed.ctx.storage.remove(output?.key ?? "");
  const dir = join(scratch.path, "missing");
  const manifest = (await exportAccount(bed.ctx, account.id, dir)) as Manifest;
  expect(manifest.files).toMatchObject({ stored: 9, missing: 1, different: 0 });
});

test("an export says of nobody of the staff who it is, nor why something was done", async () => {
  const { id: accountId } = await bed.openAccount();
  const leaver = await openPerson(bed, { staff: "operator" });
  const member = await openPerson(bed, { role: "owner", accountId });
  const invite = ({ personId }: { personId: PersonId }, isStaff?: true) => {
    const from = { address: "198.51.100.7", requestId: null, ...(isStaff && { isStaff }) };
    const invitation = { accountId, email: `${randomUUID()}@example.com`, role: "viewer" } as const;
    return inviteMember(bed.ctx, { kind: "person", personId, ...from }, invitation);
  };
  await invite(leaver, true);
  await invite(member);
  // From before an entry noted it, by somebody who has left the staff.
  const old = `insert into audit_entries (id, account_id, actor_kind, actor, person_id, action, object, reason, address)
    values (gen_random_uuid(), $1, 'person', $2::text, $2::text::uuid, $3, 'x', 'secret reason', '198.51.100.8')`;
  for (const action of ["invitation.create", "declaration.read", "account.suspend"])
    await bed.database.sql(old, [accountId, leaver.personId, action]);
  await bed.database.sql("delete from staff where person_id = $1", [leaver.personId]);
  const dir = join(scratch.path, "staff");
  await exportAccount(bed.ctx, accountId, dir);
  const read = async (name: string) =>
    (await readFile(join(dir, `${name}.jsonl`), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const entries = await read("audit-entries");
  const ofStaff = { actor_kind: "operator", actor: null, reason: null, address: null };
  expect(entries.filter(({ actor }) => actor === null)).toHaveLength(4);
  for (const entry of entries.filter(({ actor }) => actor === null))
    expect(entry).toMatchObject(ofStaff);
  expect(entries).toContainEqual(
    expect.objectContaining({ actor_kind: "person", actor: member.personId }),
  );
  const links = await read("one-time-links");
  expect(links.map(({ created_by: by }) => by).sort()).toEqual([member.personId, null].sort());
  const all = JSON.stringify([entries, links]);
  expect(all).not.toContain(leaver.personId);
  expect(all).not.toContain("secret reason");
});

/** Tables that know an account and need no line in an export. */
const notExported = {
  account_allowances: "counts of the last minute",
  account_libraries: "part of the account",
  account_reviews: "part of the account",
  arrivals: "what is open, while the account moves",
  entries: "the other view of transfers",
  open_deliveries: "when to try next",
  open_reviews: "when a person judges an asset",
  open_tasks: "part of the task until it ends",
  stuck_rows: "for operators",
  upscale_turns: "when a worker served it last",
  upscales: "what a worker does for an open task",
};

test("every table that knows an account is exported, or is known not to need it", async () => {
  const tables = await bed.database.sql<{ name: string }>(
    `select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where a.attname = 'account_id' and c.relkind in ('r', 'p') and not c.relispartition
       and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  const fileOf: Record<string, string> = {
    api_keys: "keys",
    asset_uploads: "uploads",
    asset_declarations: "declarations",
  };
  const names = kinds.map(({ name }) => name.replaceAll("-", "_"));
  const unknown = tables
    .map(({ name }) => name)
    .filter((name) => !(name in notExported) && !names.includes(fileOf[name] ?? name));
  expect(unknown).toEqual([]);
});

const run = promisify(execFile);
const operator = fileURLToPath(new URL("../main.ts", import.meta.url));

test("an operator exports and erases by command, and what was mistyped is refused before anything happens", async () => {
  const account = await openFullAccount(bed, "command");
  const { storage, links } = bed.ctx.config;
  const env = childEnv({
    DATABASE_URL: bed.database.serviceUrl,
    DATABASE_OWNER_URL: bed.database.ownerUrl,
    STORAGE_DIR: storage.kind === "disk" ? storage.dir : "",
    PUBLIC_URL: links.publicUrl,
    VENDOR_CALLBACK_SECRET: links.secret,
    RESTATE_INGRESS_URL: bed.ctx.config.engine.ingressUrls.join(","),
    VENDORS: "[]",
  });
  const operate = (...args: string[]) =>
    run(process.execPath, [operator, "account", ...args, "--account", account.id], { env });
  const dir = join(scratch.path, "by-command");
  const exported = await operate("export", "--dir", dir);
  expect(exported.stdout).toContain("stored 10  missing 0");
  await expect(operate("export", "--dir", dir)).rejects.toMatchObject({ code: 2 });
  await expect(operate("erase", "--name", "command")).rejects.toMatchObject({ code: 2 });
  const erased = await operate("erase", "--name", account.name);
  expect(erased.stdout).toContain("erased yes");
  expect(erased.stdout).toMatch(/freed-outputs-kept 1 {2}kept-until \d{4}-/);
  expect(erased.stderr).toContain("command-vendor-asset");
  expect(await traces("command-")).toEqual([]);
});

test("an erased account's freed outputs stay with their agreement for 184 days, and go then", async () => {
  const account = await openFullAccount(bed, "freed");
  const unused = await openFullAccount(bed, "unused");
  await bed.database.sql("delete from freed_outputs where account_id = $1", [unused.id]);
  const before = Date.now();
  const erasure = await erase(account);
  expect(erasure.kind === "erased" && erasure.kept.outputs).toBe(1);
  const until = erasure.kind === "erased" ? erasure.kept.until : null;
  expect((until?.getTime() ?? 0) - before).toBeGreaterThan(183.9 * 24 * 60 * 60_000);
  const agreement = "select agreed_by, text, ended_at from label_agreements where account_id = $1";
  expect(await bed.database.sql(agreement, [account.id])).toEqual([
    { agreed_by: "the legal department", text: "We label.", ended_at: expect.any(Date) },
  ]);
  await forgetFreedOutputs(bed.ctx.db);
  expect(await bed.database.sql(agreement, [account.id])).toHaveLength(1);
  await erase(unused);
  expect(await bed.database.sql(agreement, [unused.id])).toEqual([]);
  await bed.database.sql(
    `update freed_outputs set delivered_at = delivered_at - interval '185 days',
       task_id = (lpad(to_hex((extract(epoch from id_time(task_id)) * 1000)::bigint - 185::bigint * 86400000), 12, '0')
                  || substr(replace(task_id::text, '-', ''), 13))::uuid
     where account_id = $1`,
    [account.id],
  );
  await forgetFreedOutputs(bed.ctx.db);
  expect(await bed.database.sql(agreement, [account.id])).toEqual([]);
});
