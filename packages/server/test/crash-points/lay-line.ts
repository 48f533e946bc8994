import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { freePort } from "@zoetrope/dev/services/ports.ts";

export interface Line extends AsyncDisposable {
  /** Returns the address reached through the line. */
  through(url: string): string;
  /** Withholds all data from the far side from now on. */
  withhold(): void;
  /** Ends every connection; new ones work again. */
  cut(): void;
}

/** A line to a server on loopback that can lose a response and break. */
export async function layLine(to: string): Promise<Line> {
  const farPort = Number(new URL(to).port);
  const ends = new Set<Socket>();
  let isHeld = false;
  const server = createServer((near) => {
    const far = connect(farPort, "127.0.0.1");
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end);
      end.on("error", () => {}); // a close follows
      end.on("close", () => {
        ends.delete(end);
        other.destroy();
      });
    }
    near.on("data", (bytes) => far.write(bytes));
    far.on("data", (bytes) => {
      if (!isHeld) near.write(bytes);
    });
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    for (const end of ends) end.destroy();
    isHeld = false;
  };
  return {
    through(url) {
      const address = new URL(url);
      address.port = String(port);
      return address.href;
    },
    withhold() {
      isHeld = true;
    },
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
    },
  };
}
