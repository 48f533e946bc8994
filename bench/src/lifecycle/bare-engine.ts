import { once } from "node:events";
import { createServer } from "node:http2";
import { createEndpointHandler, type ObjectContext, object } from "@restatedev/restate-sdk";

/**
 * The engine alone: an object with as many handlers and steps as a task's, and nothing in them.
 * Sends its parent the key of every poll that has ended.
 */
const [port, pollSteps] = process.argv.slice(2).map(Number);

const bare = object({
  name: "bare",
  handlers: {
    submit: async (step: ObjectContext) => {
      await step.run("submit job", () => {});
    },
    poll: async (step: ObjectContext) => {
      for (let n = 0; n < (pollSteps ?? 0); n++) await step.run(`step ${n}`, () => {});
      process.send?.(step.key);
    },
  },
  options: { idempotencyRetention: 0, journalRetention: 0 },
});

const server = createServer(createEndpointHandler({ services: [bare], logger: () => {} }));
server.listen(port, "127.0.0.1");
await once(server, "listening");
process.on("disconnect", () => process.exit());
process.send?.("listening");
