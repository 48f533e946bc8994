import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { main, settings } from "../src/client.ts";
import { sendTest, untilOutcome } from "../src/webhooks.ts";

test.runIf(settings.callsLoopback)(
  "a 2xx whose body never ends is delivered: the status decides, and it is not called again",
  async () => {
    let calls = 0;
    const server = createServer((request, response) => {
      calls += 1;
      request.resume();
      response.writeHead(200).write("and so on");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const deliveryId = await sendTest(main, `http://127.0.0.1:${port}/hook`);
    const { attempts } = await untilOutcome(main, deliveryId, "delivered");
    server.closeAllConnections();
    server.close();
    expect(attempts).toMatchObject([{ number: 1, status: 200, reason: null }]);
    expect(calls).toBe(1);
  },
);
