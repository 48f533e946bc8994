import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import fastify from "fastify";
import { expect, test } from "vitest";
import type { RequestFacts } from "../people/request-facts.ts";
import { factsOf } from "./request-facts.ts";

test("a request whose client has given up has no address, and is no fault of ours", async () => {
  const app = fastify();
  const seen = Promise.withResolvers<RequestFacts>();
  app.get("/", async (request) => {
    seen.resolve(new Promise((resolve) => resolve(factsOf(request))));
    return {};
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  await once(app.server, "connection");
  socket.write("GET / HTTP/1.1\r\nhost: here\r\n\r\n");
  socket.resetAndDestroy(); // before the server has read the request
  expect(await seen.promise).toMatchObject({ address: null, network: "unknown" });
  await app.close();
});
