import { killInvocation, listInvocations } from "../../engine/invocations.ts";
import { serviceName } from "../../engine/service-name.ts";
import { isOpenTask } from "../../tasks/reconcile-queries.ts";
import type { Difference, ReconcileContext } from "./difference.ts";

const services = ["generation", "upscale", "asset"];
const rowsMax = 10_000;

/**
 * All that the engine still has to do was begun before the restore, with results of steps that the
 * database may have forgotten. It is ended; the rows cause new wake-ups.
 */
export async function compareEngine({ config, db }: ReconcileContext): Promise<Difference[]> {
  const { adminUrls } = config.engine;
  if (adminUrls === null) return [unavailable("RESTATE_ADMIN_URL is not set")];
  try {
    const { shard } = config.database;
    const names = services.map((name) => serviceName(name, shard));
    const invocations = await listInvocations(adminUrls, names, rowsMax);
    const known = await isOpenTask(
      db,
      invocations.map(({ key }) => key),
    );
    return invocations.map(({ id, service, key, handler }) => ({
      kind: "engine work",
      id,
      detail: `${service} ${key} ${handler}, ${describe(service.replace(/_\d+$/, ""), known.has(key))}`,
      action: "kill it",
      apply: () => killInvocation(adminUrls, id),
    }));
  } catch (error) {
    return [unavailable(String(error))];
  }
}

function describe(service: string, isKnown: boolean): string {
  if (service === "asset") return "begun before the restore";
  return isKnown ? "begun before the restore" : "of a task that is not open in the database";
}

function unavailable(detail: string): Difference {
  const action = "make it reachable and run this again";
  return {
    kind: "engine unavailable",
    id: "engine",
    detail,
    action,
    apply: null,
    isBlocking: true,
  };
}
