import { request } from "undici";
import { z } from "zod";
import { createAddresses } from "../engine/addresses.ts";

/** The engine's record of an address that serves handlers. */
interface Deployment {
  /** The address as `addressOf` writes it; null for a deployment that is not reached by HTTP. */
  address: string | null;
  services: string[];
}

export interface Registry {
  deployments: Deployment[];
  /** The names of the services that the engine accepts invocations for. */
  known: ReadonlySet<string>;
}

const callMsMax = 10_000;

const servicesSchema = z.object({ services: z.array(z.object({ name: z.string() })) });
const deploymentsSchema = z.object({
  deployments: z.array(
    z.object({
      uri: z.string().optional(),
      services: z.array(z.object({ name: z.string() })),
    }),
  ),
});

/** One spelling per address: the engine adds a slash to some. */
export function addressOf(url: string): string {
  return new URL(url).href.replace(/\/+$/, "");
}

export type EngineAdmin = ReturnType<typeof createEngineAdmin>;

/** The engine's admin API, as far as workers register. Every call is bounded in time. */
export function createEngineAdmin(adminUrls: readonly string[]) {
  const addresses = createAddresses(adminUrls);

  async function call(method: "GET" | "POST", path: string, body?: unknown) {
    const response = await addresses.tryEach((url) =>
      request(`${url}${path}`, {
        method,
        headers: { "content-type": "application/json", accept: "application/json" },
        body: body === undefined ? null : JSON.stringify(body),
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
        known: new Set(services.map(({ name }) => name)),
        deployments: deployments.map(({ uri, services }) => ({
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
  };
}
