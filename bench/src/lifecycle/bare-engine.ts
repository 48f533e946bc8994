import { once } from "node:events";
import { createServer } from "node:http2";
import { createEndpointHandler, type ObjectContext, object } from "@restatedev/restate-sdk";

/**
 * The engine alone: an object with as many handlers and steps as a task's, and nothing in them.
 * Prints how many polls have ended.
 */
const [port, pollSteps] = process.argv.slice(2).map(Number);
let ended = 0;

const bare = object({
  name: "bare",
  handlers: {
    submit: async (step: ObjectContext) => {
      await step.run("submit job", () => {});
    },
    poll: async (step: ObjectContext) => {
      for (let n = 0; n < (pollSteps ?? 0); n++) await step.run(`step ${n}`, () => {});
      ended++;
    },
  },
  options: { idempotencyRetention: 0, journalRetention: 0 },
});

const server = createServer(createEndpointHandler({ services: [bare], logger: () => {} }));
server.listen(port, "127.0.0.1");
await once(server, "listening");
process.stdout.write("listening\n");
setInterval(() => process.stdout.write(`ended ${ended}\n`), 20);
