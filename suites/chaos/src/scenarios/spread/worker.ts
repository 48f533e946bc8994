import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:http2";
import { setTimeout as pause } from "node:timers/promises";
import { createEndpointHandler, type ObjectContext, object } from "@restatedev/restate-sdk";

/** A worker that only counts its steps: the engine's side and the balancer's are real. */
const [host = "", port = "", healthPort = ""] = process.argv.slice(2);
const stepMs = 250;
let steps = 0;

const counted = object({
  name: "spread",
  handlers: {
    step: (engine: ObjectContext) =>
      engine.run("step", async () => {
        steps += 1;
        await pause(stepMs);
      }),
  },
  options: { idempotencyRetention: 0, journalRetention: 0 },
});

const server = createServer(createEndpointHandler({ services: [counted], logger: () => {} }));
server.listen(Number(port), host);
await once(server, "listening");
const health = createHttpServer((_request, response) => response.end(String(steps))); // on any path
health.listen(Number(healthPort), host);
await once(health, "listening");
process.stdout.write("ready\n");
