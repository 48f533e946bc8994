import { request } from "undici";
import { z } from "zod";
import { createAddresses } from "../engine/addresses.ts";

/** The engine's record of an address that serves handlers. */
export interface Deployment {
  id: string;
  /** As `addressOf` writes it; null for one that is not reached by HTTP. */
  address: string | null;
  services: string[];
}

export interface Registry {
  /** Newest first. */
  deployments: Deployment[];
  /** By service: the deployment that gets new invocations. */
  latest: ReadonlyMap<string, string>;
}

const callMsMax = 10_000;

const servicesSchema = z.object({
  services: z.array(z.object({ name: z.string(), deployment_id: z.string() })),
});
const deploymentsSchema = z.object({
  deployments: z.array(
    z.object({
      id: z.string().regex(/^dp_\w+$/),
      uri: z.string().optional(),
      created_at: z.string(),
      services: z.array(z.object({ name: z.string() })),
    }),
  ),
});
const countSchema = z.object({ rows: z.tuple([z.object({ pinned: z.int() })]) });

/** One spelling per address: the engine adds a slash to some. */
export function addressOf(url: string): string {
  return new URL(url).href.replace(/\/+$/, "");
}

export type EngineAdmin = ReturnType<typeof createEngineAdmin>;

/** The engine's admin API, as far as workers register and leave. Every call is bounded in time. */
export function createEngineAdmin(adminUrls: readonly string[]) {
  const addresses = createAddresses(adminUrls);

  async function call(method: "GET" | "POST" | "DELETE", path: string, body?: unknown) {
    const response = await addresses.tryEach((url) =>
      request(`${url}${path}`, {
        method,
        headers: { "content-type": "application/json", accept: "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(callMsMax),
      }),
    );
    const text = await response.body.text();
    if (response.statusCode >= 300)
      throw new Error(`${method} ${path} answered ${response.statusCode}: ${text.slice(0, 300)}`);
    return text === "" ? null : (JSON.parse(text) as unknown);
  }

  return {
    async read(): Promise<Registry> {
      const [services, deployments] = await Promise.all([
        call("GET", "/services").then((body) => servicesSchema.parse(body).services),
        call("GET", "/deployments").then((body) => deploymentsSchema.parse(body).deployments),
      ]);
      return {
        latest: new Map(services.map(({ name, deployment_id }) => [name, deployment_id])),
        deployments: deployments
          .sort((a, b) => b.created_at.localeCompare(a.created_at))
          .map(({ id, uri, services }) => ({
            id,
            address: uri === undefined ? null : addressOf(uri),
            services: services.map(({ name }) => name),
          })),
      };
    },

    /**
     * Routes new invocations to this address. Without `force` a known address is not re-registered:
     * neither a restarted worker nor a rollback would get work.
     */
    async register(uri: string): Promise<void> {
      await call("POST", "/deployments", { uri, force: true });
    },

    /** Whether a worker responds at the address, as seen from the engine (a dry run). */
    async isServed(uri: string): Promise<boolean> {
      const answer = await addresses.tryEach((url) =>
        request(`${url}/deployments`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ uri, force: true, dry_run: true }),
          signal: AbortSignal.timeout(callMsMax),
        }).catch((error: unknown) => {
          if (error instanceof Error && error.name === "TimeoutError") return null; // a worker that hangs
          throw error; // this node of the engine cannot be asked
        }),
      );
      await answer?.body.dump();
      return answer !== null && answer.statusCode < 300;
    },

    /** Invocations that started there and have not ended. */
    async countPinned(id: string): Promise<number> {
      const query = `select count(*) as pinned from sys_invocation where pinned_deployment_id = '${id}' and status <> 'completed'`;
      return countSchema.parse(await call("POST", "/query", { query })).rows[0].pinned;
    },

    async remove(id: string): Promise<void> {
      await call("DELETE", `/deployments/${id}?force=true`);
    },
  };
}
