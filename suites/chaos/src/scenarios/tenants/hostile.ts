import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { newKey, type OpenedAccount } from "@zoetrope/dev/open-accounts.ts";
import { Client } from "pg";
import { callApi } from "../../kit/call-api.ts";
import { flood, type HostileRequest } from "./flood.ts";
import type { Hostile, HostileContext, HostileName } from "./hostile-context.ts";
import { poisonsOf } from "./poisons.ts";

/** Returns a separate address for each, as on the internet. */
const addressOf = (index: number) => `127.0.1.${index}`;

const later = (ms: number, stop: AbortSignal) =>
  pause(ms, undefined, { signal: stop }).catch(() => {});

/** Addresses whose bytes come just fast enough not to be given up, as assets and as inputs of tasks. */
const drippingUrls: Hostile = ({ apiUrl, filesUrl }, { key }, stop, note) =>
  flood(
    { apiUrl, fromAddress: addressOf(1), connections: 4, stop },
    (count): HostileRequest => {
      const url = `${filesUrl}/drip/${count}.png`;
      return count % 4 === 0
        ? {
            method: "POST",
            key,
            path: "/api/v1/jobs/createTask",
            body: { model: "image-pro-2", inputs: { prompt: "drip", urls: [url] } },
          }
        : {
            method: "POST",
            key,
            path: "/api/v1/assets/upload",
            body: { url, type: "IMAGE" },
          };
    },
    note,
  );

/** Redelivers the same delivery and whole ranges again and again, and sends test events as well. */
const redeliveries: Hostile = async ({ apiUrl, receiverUrl }, { key }, stop, note) => {
  const url = `${receiverUrl}/hooks/500-always/redelivery`;
  const path = "/api/v1/webhooks/test";
  const first = await callApi(apiUrl, { method: "POST", path, key, body: { url } });
  const deliveryId =
    first !== "none" && first.status === 200
      ? (first.body as { deliveryId: string }).deliveryId
      : "none";
  const range = { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z", outcome: "failed" };
  const requests: HostileRequest[] = [
    { method: "POST", key, path: "/api/v1/webhooks/again", body: { deliveryId } },
    { method: "POST", key, path, body: { url } },
    { method: "POST", key, path: "/api/v1/webhooks/again", body: range },
  ];
  const from = { apiUrl, fromAddress: addressOf(2), connections: 16, stop };
  await flood(from, (count) => requests[count % 3] ?? { path }, note);
};

/** Edits of ten images of 45 MB each, as many as the account may have open. */
const heavyEdits: Hostile = ({ apiUrl, heavyAsset }, { key }, stop, note) => {
  const urls = Array.from({ length: 10 }, () => `asset://${heavyAsset}`);
  const body = { model: "image-plus-2", inputs: { prompt: "heavy", urls } };
  const from = { apiUrl, fromAddress: addressOf(3), connections: 3, stop };
  return flood(from, () => ({ method: "POST", key, path: "/api/v1/jobs/createTask", body }), note);
};

/** An account whose row is locked four seconds of five, while a hundred connections want it. */
const lockedRows: Hostile = async ({ apiUrl, databaseUrl }, { key, accountId }, stop, note) => {
  const lock = async () => {
    const client = new Client({ connectionString: databaseUrl });
    client.on("error", () => {});
    await client.connect();
    while (!stop.aborted) {
      await client.query("begin");
      await client.query("select 1 from accounts where id = $1 for update", [accountId]);
      await later(4_000, stop);
      await client.query("rollback");
      await later(1_000, stop);
    }
    await client.end();
  };
  const body = { model: "sd2", inputs: { prompt: "locked [sandbox:fail]" } };
  const from = { apiUrl, fromAddress: addressOf(4), connections: 100, stop };
  const requests = flood(
    from,
    () => ({ method: "POST", key, path: "/api/v1/jobs/createTask", body }),
    note,
  );
  await Promise.all([lock(), requests]);
};

const keyGuessing: Hostile = ({ apiUrl }, _account, stop, note) =>
  flood(
    { apiUrl, fromAddress: addressOf(5), connections: 64, stop },
    () => ({ path: "/api/v1/account/credits", key: newKey() }),
    note,
  );

const documents: Hostile = ({ apiUrl }, _account, stop, note) => {
  const paths = ["/openapi.json", "/reference", "/health"];
  const from = { apiUrl, fromAddress: addressOf(6), connections: 300, stop };
  return flood(from, (count) => ({ path: paths[count % 3] ?? "/" }), note);
};

/**
 * Streams of a task that hangs and of the account's events, as many as there can be, each broken off and
 * opened again; beside them an agent's calls that wait for the task.
 */
const streams: Hostile = async ({ apiUrl }, { key }, stop, note) => {
  const body = { model: "sd2", inputs: { prompt: "followed [sandbox:hang]" } };
  const made = await callApi(apiUrl, {
    method: "POST",
    path: "/api/v1/jobs/createTask",
    key,
    body,
  });
  const taskId =
    made !== "none" && made.status === 200 ? (made.body as { taskId: string }).taskId : "none";
  const paths = [`/api/v1/jobs/queryTask?taskId=${taskId}`, "/api/v1/events"];
  const one = async (_: unknown, index: number) => {
    while (!stop.aborted) {
      const over = AbortSignal.any([stop, AbortSignal.timeout(1_000 + randomInt(2_000))]);
      const headers = { authorization: `Bearer ${key}`, accept: "text/event-stream" };
      try {
        const answer = await fetch(apiUrl + paths[index % 2], { headers, signal: over });
        note(String(answer.status));
        await answer.text();
        await later(100, stop);
      } catch {
        note("broken off");
      }
    }
  };
  const calls = flood(
    { apiUrl, fromAddress: addressOf(7), connections: 64, stop },
    (id) => waitOverMcp(key, id, taskId),
    (what) => note(`mcp ${what}`),
  );
  await Promise.all([calls, ...Array.from({ length: 300 }, one)]);
};

function waitOverMcp(key: string, id: number, taskId: string): HostileRequest {
  const call = { name: "get_task", arguments: { taskId, waitSeconds: 50 } };
  return {
    method: "POST",
    key,
    path: "/mcp",
    headers: { accept: "application/json, text/event-stream" },
    body: { jsonrpc: "2.0", id, method: "tools/call", params: call },
  };
}

/** Pages far down lists of a million rows, by filters that hardly a row passes. */
const deepListings: Hostile = ({ apiUrl }, { key }, stop, note) => {
  const paths = [
    "/api/v1/webhooks/deliveries?outcome=failed",
    "/api/v1/webhooks/deliveries?outcome=pending",
    "/api/v1/events?after=1&limit=100",
    "/api/v1/account/ledger?limit=100",
    "/api/v1/assets/list?type=AUDIO&status=FAILED",
  ];
  const from = { apiUrl, fromAddress: addressOf(8), connections: 30, stop };
  return flood(from, (count) => ({ key, path: paths[count % paths.length] ?? "" }), note);
};

/** Files beyond every limit, uploads that are opened and left, and bodies that are too long. */
const oversizedUploads: Hostile = ({ apiUrl, filesUrl }, { key }, stop, note) => {
  const long = "x".repeat(1_000_000);
  const requests = (count: number): HostileRequest[] => [
    {
      method: "POST",
      key,
      path: "/api/v1/assets/upload",
      body: { url: `${filesUrl}/endless/${count}.mp4`, type: "VIDEO" },
    },
    {
      method: "POST",
      key,
      path: "/api/v1/assets/uploads",
      body: { type: "VIDEO", sizeBytes: 200 * 1024 * 1024 },
    },
    {
      method: "POST",
      key,
      path: "/api/v1/jobs/createTask",
      body: { model: "sd2", inputs: { prompt: long } },
    },
  ];
  const from = { apiUrl, fromAddress: addressOf(9), connections: 8, stop };
  return flood(from, (count) => requests(count)[count % 3] ?? { path: "/" }, note);
};

/** Rows that no loop can process, of every kind. */
const poisonedRows: Hostile = async (context, { accountId }, stop, note) => {
  const client = new Client({ connectionString: context.databaseUrl });
  client.on("error", () => {});
  await client.connect();
  await mkdir(join(context.storageDir, poisonedKey.slice(0, 2), poisonedKey), { recursive: true });
  while (!stop.aborted) {
    const poisons = poisonsOf(accountId, context.receiverUrl, poisonedKey);
    for (const [name, { sql, values }] of Object.entries(poisons))
      try {
        await client.query(sql, values);
        note(name);
      } catch (error) {
        note(`${name}: ${String(error)}`);
      }
    await later(5_000, stop);
  }
  await client.end();
};

/** An object that cannot be removed: a folder stands in its place. */
const poisonedKey = "poisoned.mp4";

const guessersCount = 50;
/**
 * A body of the greatest length that these routes take; each member is one that the route has to
 * refuse by name.
 */
const unknownMembers = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`m${at}`, 0]));
/** Not JSON, as deep as it is long: beyond what a vendor's callback may have, and within. */
const brackets = [240_000, 60_000].map((count) => "[".repeat(count));

/**
 * Strangers without a key, who guess the links of mails and of files and call what responds without
 * one. Their requests are well-formed and unknown, or expensive to refuse. Each has its own address
 * and few connections, so that the limit of an address is met by part of the calls alone.
 */
const guessedLinks: Hostile = async ({ apiUrl }, _account, stop, note) => {
  const token = () => randomBytes(32).toString("base64url");
  const password = "correct horse battery staple";
  const post = (path: string, body: object): HostileRequest => ({
    method: "POST",
    path: `/api/v1/${path}`,
    body,
    headers: { origin: new URL(apiUrl).origin }, // another one is refused at once
  });
  const callback = (text = ""): HostileRequest => ({
    method: "POST",
    path: `/vendors/ark/${randomUUID()}/x`,
    text,
  });
  const email = () => `${randomBytes(8).toString("hex")}@example.com`;
  const requests: Record<string, () => HostileRequest> = {
    "invitation/read": () => post("invitation/read", { token: token() }),
    "invitation/accept": () =>
      post("invitation/accept", { token: token(), name: "Guess", password }),
    "password/reset": () => post("password/reset", { token: token(), password }),
    "password/request": () => post("password/request", { email: email() }),
    session: () => post("session", { email: email(), password, ...unknownMembers }),
    "long callback": () => callback(brackets[0]),
    "deep callback": () => callback(brackets[1]),
    media: () => ({ path: `/media/assets/${randomBytes(20).toString("hex")}` }),
  };
  const kinds = Object.entries(requests);
  const guess = (index: number) => {
    const from = { apiUrl, fromAddress: `127.1.${index}.1`, connections: 3, stop };
    const next = (count: number): HostileRequest => {
      const [kind, request] = kinds[(count + index) % kinds.length] ?? [];
      return { ...(request?.() ?? { path: "/" }), kind };
    };
    return flood(from, next, note);
  };
  await Promise.all(Array.from({ length: guessersCount }, (_, index) => guess(index)));
};

/** The agents of one account: calls of every tool that reads, and streams of its events, all of them at once. */
const agents: Hostile = async ({ apiUrl }, { key }, stop, note) => {
  const tools = ["get_account", "list_assets", "list_models"];
  const call = (id: number): HostileRequest => ({
    method: "POST",
    key,
    path: "/mcp",
    headers: { accept: "application/json, text/event-stream" },
    body: {
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: tools[id % tools.length], arguments: {} },
    },
  });
  const calls = flood(
    { apiUrl, fromAddress: addressOf(12), connections: 100, stop },
    call,
    (what) => note(`mcp ${what}`),
  );
  const headers = { authorization: `Bearer ${key}`, accept: "text/event-stream" };
  const follow = async () => {
    while (!stop.aborted) {
      const over = AbortSignal.any([stop, AbortSignal.timeout(2_000 + randomInt(4_000))]);
      try {
        const answer = await fetch(`${apiUrl}/api/v1/events`, { headers, signal: over });
        note(`stream ${answer.status}`);
        await answer.text();
        await later(100, stop);
      } catch {
        note("broken off");
      }
    }
  };
  await Promise.all([calls, ...Array.from({ length: 300 }, follow)]);
};

const hostiles: Record<HostileName, Hostile> = {
  "dripping-urls": drippingUrls,
  redeliveries,
  "heavy-edits": heavyEdits,
  "locked-rows": lockedRows,
  "key-guessing": keyGuessing,
  documents,
  streams,
  "deep-listings": deepListings,
  "oversized-uploads": oversizedUploads,
  "poisoned-rows": poisonedRows,
  "guessed-links": guessedLinks,
  agents,
};

/** Runs all of them at once. Returns the responses of each with their counts. */
export async function attack(
  context: HostileContext,
  stop: AbortSignal,
): Promise<Record<string, Record<string, number>>> {
  const noted: Record<string, Record<string, number>> = {};
  await Promise.all(
    Object.entries(hostiles).map(async ([name, hostile]) => {
      const counts: Record<string, number> = {};
      noted[name] = counts;
      const account: OpenedAccount = context.accounts[name as HostileName];
      await hostile(context, account, stop, (what) => {
        counts[what] = (counts[what] ?? 0) + 1;
      });
    }),
  );
  return noted;
}
