import { once } from "node:events";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { inParallel } from "../in-parallel.ts";
import { registerWorker } from "./restate-admin.ts";

/** More than a partition's invoker runs at once: `concurrent-invocations-limit` of the engine here. */
const invocations = 60;
const atOnceMax = 10;

const manifest = JSON.stringify({
  protocolMode: "BIDI_STREAM",
  minProtocolVersion: 5,
  maxProtocolVersion: 5,
  services: [{ name: "blocker", ty: "VIRTUAL_OBJECT", handlers: [{ name: "hang", ty: "SHARED" }] }],
});

/**
 * Makes one partition accept work and not run it, as a stuck one does: handlers that never return
 * take all the places of its invoker. Disposing of it lets the partition run again.
 */
export async function blockPartition(
  { adminUrl, ingressUrl }: { adminUrl: string; ingressUrl: string },
  /** Any key in the partition. */
  key: string,
): Promise<AsyncDisposable> {
  const server = createServer((request, response) => {
    if (request.url !== "/discover") return; // never answered
    response.writeHead(200, { "content-type": "application/vnd.restate.endpointmanifest.v3+json" });
    response.end(manifest);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const deployment = await registerWorker(adminUrl, `http://127.0.0.1:${port}`);
  const ids = await inParallel(atOnceMax, Array(invocations).fill(key), async () => {
    const path = `/blocker/${key}/hang/send`;
    const sent = await fetch(`${ingressUrl}${path}`, { method: "POST" });
    return ((await sent.json()) as { invocationId: string }).invocationId;
  });
  return {
    async [Symbol.asyncDispose]() {
      await inParallel(atOnceMax, ids, async (id) => {
        const killed = await fetch(`${adminUrl}/invocations/${id}/kill`, { method: "PATCH" });
        await killed.body?.cancel();
      });
      const removed = await fetch(`${adminUrl}/deployments/${deployment}?force=true`, {
        method: "DELETE",
      });
      await removed.body?.cancel();
      server.close();
    },
  };
}
