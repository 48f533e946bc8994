import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { hashApiKey, looksLikeServiceKey, shardOfKey } from "../accounts/api-key.ts";
import { ApiError } from "../errors.ts";
import { takeOldest } from "../flow/take-oldest.ts";
import { isId, shardOf, type Uuid } from "../ids.ts";

const rememberedMax = 100_000;
/** An account that moves is on its way for a moment, in which each shard sends to the other. */
const hopsMax = 3;

/** Sends a request on to the shard where its account lives. The body has not been read yet. */
export interface Forwarding {
  forward(request: FastifyRequest, reply: FastifyReply, shard: number): void;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Whether another shard handles it. */
    isElsewhere?: boolean;
  }
}

/**
 * Finds the app of the shard that a request is for, without a query: a key's checksum and the id of an
 * account, task or asset contain the shard in which it was created. If an account has moved since, that
 * shard says where, and this is remembered.
 */
export function createSpread(shards: number) {
  const moved = new Map<string, number>();
  const hops = new WeakMap<IncomingMessage, number>();
  const apps: FastifyInstance[] = [];

  function find(request: IncomingMessage): number {
    const name = nameOf(request);
    if (name === null) return 0;
    const known = moved.size === 0 ? undefined : moved.get(rememberedAs(name));
    return known ?? Math.min(name.shard(shards), shards - 1);
  }

  function remember(request: IncomingMessage, shard: number): void {
    const name = nameOf(request);
    if (name === null) return;
    const remembered = rememberedAs(name);
    moved.delete(remembered);
    if (name.shard(shards) === shard) return;
    moved.set(remembered, shard);
    if (moved.size > rememberedMax) takeOldest(moved, 1);
  }

  const forwarding: Forwarding = {
    forward(request, reply, shard) {
      const { raw } = request;
      const count = (hops.get(raw) ?? 0) + 1;
      const app = apps[shard];
      if (app === undefined || count > hopsMax)
        throw new ApiError("account_busy", { retryAfterSeconds: 1 });
      hops.set(raw, count);
      remember(raw, shard);
      request.isElsewhere = true;
      reply.hijack();
      app.routing(raw, reply.raw);
    },
  };

  return {
    forwarding,
    /** The first app's server takes the requests of all. */
    serve(all: readonly FastifyInstance[]): void {
      apps.push(...all);
      const [first] = all;
      if (first === undefined || all.length === 1) return;
      first.server.removeAllListeners("request");
      first.server.on("request", (request, response) => {
        const app = apps[find(request)] ?? first;
        app.routing(request, response);
      });
    },
  };
}

interface Name {
  kind: "key" | "id";
  text: string;
  shard(shards: number): number;
}

/** The key of a request; otherwise the account that a person acts in, or the first id in its address. */
function nameOf({ headers, url = "" }: IncomingMessage): Name | null {
  const { authorization } = headers;
  const key = authorization?.split(" ")[1] ?? "";
  if (authorization !== undefined && !looksLikeServiceKey(key)) {
    return { kind: "key", text: key, shard: (shards) => shardOfKey(key, shards) ?? 0 };
  }
  const account = headers["zoetrope-account"];
  const text = account === undefined ? idIn(url) : String(account);
  if (text === null || !isId(text)) return ofChosenShard(headers["zoetrope-shard"]);
  return { kind: "id", text, shard: () => shardOf(text as Uuid) };
}

/** Returns the shard that a header chooses for lists of the staff; without the header, the first one. */
function ofChosenShard(header: string | string[] | undefined): Name | null {
  const shard = /^\d{1,4}$/.test(String(header)) ? Number(header) : 0;
  return shard === 0 ? null : { kind: "id", text: `shard ${shard}`, shard: () => shard };
}

/** The first id in an address. */
export function idIn(url: string): string | null {
  return idPattern.exec(url)?.[0] ?? null;
}

const idPattern = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/;

/** A key is not kept. */
function rememberedAs({ kind, text }: Name): string {
  return kind === "key" ? hashApiKey(text).toString("latin1") : text;
}
