import { createHmac, randomBytes } from "node:crypto";
import { newId } from "@zoetrope/dev/open-accounts.ts";
import type { Client } from "pg";
import type { TaskView } from "../kit/client-log.ts";
import type { ReceivedRequest } from "../kit/receiver/received-request.ts";
import type { Evidence, StoredObject } from "./evidence.ts";
import type { TransferKind } from "./rows.ts";

/**
 * Histories for the tests of the invariants: rows in a real database, written as the service would
 * write them, and the logs that go with them. A test then spoils one thing.
 */
export type Logs = Omit<Evidence, "rows" | "objects"> & {
  objects: Map<string, StoredObject>;
};

export function emptyLogs(): Logs {
  const lists = { vendor: [], received: [], clients: [], invocations: [], leaks: [], crashes: [] };
  return { ...lists, objects: new Map() };
}

export interface PlantedAccount {
  id: string;
  secret: string;
}

export interface PlantedTask {
  id: string;
  kind: "generation" | "upscale";
  account: PlantedAccount;
  key: string;
  credits: number;
  callbackPath: string | null;
  jobId: string | null;
}

const books: Record<TransferKind, [string, string]> = {
  grant: ["issued", "available"],
  adjust: ["issued", "available"],
  hold: ["available", "held"],
  raise: ["available", "held"],
  capture: ["held", "revenue"],
  release: ["held", "available"],
  expiry: ["available", "issued"],
};
const effects: Record<TransferKind, { credits: number; held: number }> = {
  grant: { credits: 1, held: 0 },
  adjust: { credits: 1, held: 0 },
  hold: { credits: 0, held: 1 },
  raise: { credits: 0, held: 1 },
  capture: { credits: -1, held: -1 },
  release: { credits: 0, held: -1 },
  expiry: { credits: -1, held: 0 },
};

export async function inTransaction(db: Client, work: () => Promise<void>): Promise<void> {
  await db.query("begin");
  await work();
  await db.query("commit");
}

export async function plantAccount(db: Client, credits: number): Promise<PlantedAccount> {
  const account = { id: newId(), secret: `whsec_${randomBytes(24).toString("base64")}` };
  await db.query("insert into accounts (id, name, webhook_secret) values ($1, 'planted', $2)", [
    account.id,
    account.secret,
  ]);
  if (credits > 0) await inTransaction(db, () => post(db, account, newId(), "grant", credits));
  return account;
}

export async function post(
  db: Client,
  account: PlantedAccount,
  causeId: string,
  kind: TransferKind,
  amount: number,
): Promise<void> {
  const [from, to] = books[kind];
  const effect = effects[kind];
  const id = newId();
  await db.query(
    `insert into transfers (cause_id, kind, id, account_id, amount, number, credits_after, held_after)
     select $1, $2, $3, id, $5, transfers + 1, credits + $6::bigint, held + $7::bigint from accounts where id = $4`,
    [causeId, kind, id, account.id, amount, amount * effect.credits, amount * effect.held],
  );
  await db.query(
    `insert into entries (cause_id, kind, account_id, book, amount)
     values ($1, $2, $3, $4, -$6::bigint), ($1, $2, $3, $5, $6)`,
    [causeId, kind, account.id, from, to, amount],
  );
  await db.query(
    "update accounts set transfers = transfers + 1, credits = credits + $2, held = held + $3 where id = $1",
    [account.id, amount * effect.credits, amount * effect.held],
  );
  const change = amount * effect.credits;
  if (change > 0) await plantLot(db, account, { id, causeId, credits: change });
  if (change < 0) await useLots(db, account, { causeId, kind, credits: -change });
}

/** Lots of the history are paid: of an odd net, so that no use of a few credits is a whole number of it. */
const netOf = (credits: number) => 7 * credits + 3;

async function plantLot(
  db: Client,
  account: PlantedAccount,
  { id, causeId, credits }: { id: string; causeId: string; credits: number },
): Promise<void> {
  await db.query(
    `insert into lots (id, account_id, number, source, credits, credits_left, net_minor, currency, cause_id)
     select $1, id, transfers, 'purchase', $3, $3, $4, 'USD', $5 from accounts where id = $2`,
    [id, account.id, credits, netOf(credits), causeId],
  );
}

/** Takes credits out of the oldest lots. */
async function useLots(
  db: Client,
  account: PlantedAccount,
  use: { causeId: string; kind: TransferKind; credits: number },
): Promise<void> {
  const { rows } = await db.query<{ id: string; credits: string; left: string }>(
    `select id, credits, credits_left as left from lots where account_id = $1 and is_open order by number`,
    [account.id],
  );
  let missing = use.credits;
  for (const { id, credits, left } of rows) {
    const taken = Math.min(Number(left), missing);
    if (taken === 0) break;
    missing -= taken;
    const gone = Number(credits) - Number(left);
    const share = (part: number) => Math.floor((netOf(Number(credits)) * part) / Number(credits));
    await db.query(
      "update lots set credits_left = credits_left - $2, is_open = credits_left > $2 where id = $1",
      [id, taken],
    );
    await db.query(
      `insert into lot_uses (cause_id, kind, lot_id, account_id, credits, net_minor)
       values ($1, $2, $3, $4, $5, $6)`,
      [use.causeId, use.kind, id, account.id, taken, share(gone + taken) - share(gone)],
    );
  }
}

const requested = {
  generation: { model: "sd2", outputResolution: "720p", seconds: 4, prompt: "A newt" },
  upscale: {
    model: "upscale",
    outputResolution: "1080p",
    seconds: 7,
    prompt: "http://127.0.0.1:1",
  },
};
const firstHolds = { generation: 24, upscale: 15 };

/** A request for 4 s in 720p: 24 credits; or for an upscale of 7 s: 15 credits until it is raised to 21. */
export async function openTask(
  db: Client,
  logs: Logs,
  account: PlantedAccount,
  options: { kind?: PlantedTask["kind"]; hasCallback?: boolean; hasJob?: boolean } = {},
): Promise<PlantedTask> {
  const id = newId();
  const key = `key-${id}`;
  const callbackPath = options.hasCallback ? `/hooks/well/${key}` : null;
  const { kind = "generation" } = options;
  const jobId = (options.hasJob ?? kind === "generation") ? `job-${id}` : null;
  const task = { id, kind, account, key, credits: firstHolds[kind], callbackPath, jobId };
  const callbackUrl = callbackPath === null ? null : `http://127.0.0.1:1${callbackPath}`;
  const request = { outputResolution: "720p", durationSeconds: 4 };
  await inTransaction(db, async () => {
    await post(db, account, id, "hold", task.credits);
    await db.query(
      `insert into tasks (id, account_id, kind, model, request, price_schedule, credits, callback_url, created_at)
       values ($1, $2, $6, $7, $3, 'A', $4, $5, now())`,
      [
        id,
        account.id,
        JSON.stringify(request),
        task.credits,
        callbackUrl,
        kind,
        requested[kind].model,
      ],
    );
    await db.query(
      `insert into open_tasks (task_id, account_id, vendor_account, deadline_at, next_step_at)
       values ($1, $2, 'ark', now(), now())`,
      [id, account.id],
    );
    await db.query(
      "insert into idempotency_keys (account_id, key, fingerprint, response) values ($1, $2, '', $3)",
      [account.id, key, JSON.stringify({ taskId: id })],
    );
  });
  const who = { accountId: account.id, key };
  const what = { ...requested[kind], directives: "" };
  logs.clients.push({ event: "requested", ...who, ...what, callbackUrl });
  logs.clients.push({ event: "answered", at: Date.now(), ...who, status: 200, taskId: id });
  if (jobId !== null) plantJob(logs, id, jobId);
  return task;
}

/** The source is measured: the hold becomes the price. */
export async function raiseHold(db: Client, task: PlantedTask, more: number): Promise<void> {
  await inTransaction(db, async () => {
    await post(db, task.account, task.id, "raise", more);
    await db.query("update tasks set credits = credits + $2 where id = $1", [task.id, more]);
  });
  task.credits += more;
}

export function plantJob(logs: Logs, taskId: string, jobId: string): void {
  const callbackUrl = `http://127.0.0.1:1/vendors/ark/${taskId}/token`;
  logs.vendor.push({ event: "create", jobId, accepted: true, callbackUrl });
  logs.vendor.push({ event: "status", jobId, to: "succeeded" });
}

/** Ends a task as the service would, and adds what its client and its receiver see of it. */
export async function endTask(
  db: Client,
  logs: Logs,
  task: PlantedTask,
  status: "COMPLETED" | "FAILED",
  settlement: TransferKind = status === "COMPLETED" ? "capture" : "release",
): Promise<void> {
  const isCompleted = status === "COMPLETED";
  const sha256 = task.kind === "upscale" ? "01" : "00";
  const media = { key: `${task.id.replaceAll("-", "")}.mp4`, sha256, sizeBytes: 1 };
  const deliveryId = newId();
  await inTransaction(db, async () => {
    await db.query(
      `update tasks set status = $2, completed_at = now(), output = $3, error_code = $4, error_message = $4
       where id = $1`,
      [
        task.id,
        status,
        isCompleted ? JSON.stringify([media]) : null,
        isCompleted ? null : "broken",
      ],
    );
    await db.query("delete from open_tasks where task_id = $1", [task.id]);
    await post(db, task.account, task.id, settlement, task.credits);
    await plantUsage(db, task, settlement);
    if (task.callbackPath !== null) await plantDelivery(db, task, deliveryId);
  });
  if (isCompleted)
    logs.objects.set(media.key, {
      sha256: media.sha256,
      sizeBytes: media.sizeBytes,
      dataSha256: media.sha256,
    });
  const view = viewOf(task, status);
  const seen = { accountId: task.account.id, taskId: task.id, at: Date.now() };
  for (const step of ["PENDING", "PROCESSING", status])
    logs.clients.push({ event: "seen", ...seen, status: step });
  logs.clients.push(
    { event: "ended", ...seen, task: view },
    { event: "last", ...seen, task: view },
  );
  if (task.callbackPath === null) return;
  for (const answered of [500, 200])
    logs.received.push(requestOf(task, `msg_${deliveryId}`, JSON.stringify(view), answered));
}

async function plantUsage(db: Client, task: PlantedTask, settlement: TransferKind): Promise<void> {
  const isCharged = settlement === "capture";
  for (const unit of ["hour", "day"])
    await db.query(
      `insert into usage_${unit}s as u (start_id, account_id, kind, model, status, tasks, credits, video_ms)
       values (id_floor(date_trunc('${unit}', now(), 'UTC')), $1, $4, $5, $2, 1, $3, 0)
       on conflict (account_id, start_id, kind, model, key_id, status) do update
         set tasks = u.tasks + 1, credits = u.credits + excluded.credits`,
      [
        task.account.id,
        isCharged ? "COMPLETED" : "FAILED",
        isCharged ? task.credits : 0,
        task.kind,
        requested[task.kind].model,
      ],
    );
}

async function plantDelivery(db: Client, task: PlantedTask, deliveryId: string): Promise<void> {
  await db.query(
    `insert into deliveries (id, account_id, task_id, url, body, delivered_at)
     values ($1, $2, $3, $4, '', now())`,
    [deliveryId, task.account.id, task.id, `http://127.0.0.1:1${task.callbackPath}`],
  );
  await db.query(
    `insert into attempts (delivery_id, number, started_at, status)
     values ($1, 1, now(), 500), ($1, 2, now(), 200)`,
    [deliveryId],
  );
}

function viewOf(task: PlantedTask, status: "COMPLETED" | "FAILED"): TaskView {
  const creditsUsed = status === "COMPLETED" ? task.credits : 0;
  return { taskId: task.id, status, creditsUsed, errorCode: status === "FAILED" ? "broken" : null };
}

/** A callback with a right signature. */
export function requestOf(
  task: PlantedTask,
  webhookId: string,
  body: string,
  answered: number,
): ReceivedRequest {
  const at = Date.now();
  const webhookTimestamp = String(Math.floor(at / 1000));
  const signature = createHmac("sha256", Buffer.from(task.account.secret.slice(6), "base64"))
    .update(`${webhookId}.${webhookTimestamp}.${body}`)
    .digest("base64");
  const webhookSignature = `v1,${signature}`;
  const path = task.callbackPath ?? "";
  return { at, path, webhookId, webhookTimestamp, webhookSignature, body, answered };
}
