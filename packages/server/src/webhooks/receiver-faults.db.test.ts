import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";
import { makeScratch } from "@zoetrope/dev/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { attemptDelivery } from "./attempt-delivery.ts";
import { takeDueDeliveries } from "./queries.ts";
import { readDelivery } from "./read-deliveries.ts";
import { attemptsUsual } from "./schedule.ts";
import { sendTest } from "./send-test.ts";
import { createLaneWalk } from "./walk-lanes.ts";

const run = promisify(execFile);

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed({ DELIVERY_SPEED: "5" }); // 15 s become 3: enough for a busy machine
});
afterAll(() => bed[Symbol.asyncDispose]());

/** The record of one attempt at that address. */
async function attemptAt(url: string) {
  const account = await bed.openAccount();
  const { deliveryId } = await sendTest(bed.ctx, account, url);
  const { due } = await createLaneWalk().look(bed.ctx.db);
  const lanes = due.filter(({ accountId }) => accountId === account.id);
  const shares = lanes.map((lane) => ({ lane, rowsMax: 1 }));
  const taken = await takeDueDeliveries(bed.ctx.db, shares, { attemptsUsual, leaseMs: 20_000 });
  for (const delivery of taken) await attemptDelivery(bed.ctx, delivery);
  return readDelivery(bed.ctx, account, deliveryId);
}

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A receiver that does with the connection what it likes. */
async function rudeReceiver(onSocket: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).once("data", () => onSocket(socket));
  });
  return {
    url: `http://${await listen(server)}/`,
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Also those that break: writing to a connection that the other side has closed is an error first. */
async function allClosed(sockets: Iterable<Socket>): Promise<void> {
  for (const socket of sockets)
    if (!socket.destroyed) await new Promise((resolve) => socket.once("close", resolve));
}

test("a receiver that never answers is timed out, and its connection is closed", async () => {
  await using receiver = await rudeReceiver(() => {});
  const { attempts, outcome } = await attemptAt(receiver.url);
  expect(attempts).toMatchObject([{ number: 1, status: null, reason: "timed out after 15 s" }]);
  expect(outcome).toBe("pending");
  await allClosed(receiver.sockets);
});

test("a 2xx whose body never ends is delivered when its status line arrives, and its connection is closed", async () => {
  await using receiver = await rudeReceiver((socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n");
    const dripping = setInterval(() => socket.write("x"), 20);
    socket.on("close", () => clearInterval(dripping));
  });
  const { attempts, outcome } = await attemptAt(receiver.url);
  expect(attempts).toMatchObject([{ status: 200, reason: null }]);
  expect(outcome).toBe("delivered");
  await allClosed(receiver.sockets);
});

test("headers that never end are no answer: the attempt is timed out", async () => {
  await using receiver = await rudeReceiver((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    const dripping = setInterval(() => socket.write("x: y\r\n"), 50);
    socket.on("close", () => clearInterval(dripping));
  });
  const { attempts } = await attemptAt(receiver.url);
  expect(attempts).toMatchObject([{ status: null, reason: "timed out after 15 s" }]);
});

test("of an endless answer no more than 64 KiB are read, and a 2xx counts", async () => {
  let sentBytes = 0;
  await using receiver = await rudeReceiver((socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n");
    const chunk = Buffer.alloc(64 * 1024);
    const pour = () => {
      while (!socket.destroyed && socket.write(chunk)) sentBytes += chunk.length;
    };
    socket.on("drain", pour);
    pour();
  });
  const { attempts, outcome } = await attemptAt(receiver.url);
  expect(attempts).toMatchObject([{ status: 200, reason: null }]);
  expect(outcome).toBe("delivered");
  expect(sentBytes).toBeLessThan(64 * 1024 * 1024); // what fits into the buffers between
});

test.each([
  { status: 200, reason: null, outcome: "delivered" },
  { status: 503, reason: "answered 503", outcome: "pending" },
])(
  "a receiver that closes in the middle of its body has answered $status all the same",
  async ({ status, reason, outcome }) => {
    await using receiver = await rudeReceiver((socket) => {
      socket.end(`HTTP/1.1 ${status} x\r\ncontent-length: 1000\r\n\r\nhalf`);
    });
    const delivery = await attemptAt(receiver.url);
    expect(delivery.attempts).toMatchObject([{ status, reason }]);
    expect(delivery.outcome).toBe(outcome);
  },
);

test("a receiver that closes before its headers end has not answered", async () => {
  await using receiver = await rudeReceiver((socket) => {
    socket.end("HTTP/1.1 200 OK\r\ncontent-le");
  });
  const { attempts } = await attemptAt(receiver.url);
  expect(attempts).toMatchObject([
    { status: null, reason: "connection closed before the answer ended" },
  ]);
});

test("what is not HTTP is told so", async () => {
  await using receiver = await rudeReceiver((socket) => socket.end("220 mail ready\r\n"));
  const { attempts } = await attemptAt(receiver.url);
  expect(attempts).toMatchObject([{ status: null, reason: "the answer is not HTTP" }]);
});

test("nobody listening is told so", async () => {
  const server = createTcpServer();
  const address = await listen(server);
  server.close();
  await once(server, "close");
  const { attempts } = await attemptAt(`http://${address}/`);
  expect(attempts).toMatchObject([{ status: null, reason: "connection refused" }]);
});

test("a name that does not exist is told so", async () => {
  const { attempts } = await attemptAt("http://nobody.invalid/");
  expect(attempts).toMatchObject([{ status: null, reason: /host name/ }]);
});

test("an address that is not public is told so", async () => {
  const account = await bed.openAccount();
  await expect(sendTest(bed.ctx, account, "http://10.0.0.1/")).rejects.toMatchObject({
    code: "invalid_parameters",
    param: "url",
  });
  const { deliveryId } = await sendTest(bed.ctx, account, "http://127.0.0.1:1024/");
  await bed.database.sql("update deliveries set url = 'http://10.0.0.1/' where id = $1", [
    deliveryId,
  ]);
  const lane = { accountId: account.id, host: "127.0.0.1:1024" };
  const limits = { attemptsUsual, leaseMs: 20_000 };
  const [due] = await takeDueDeliveries(bed.ctx.db, [{ lane, rowsMax: 1 }], limits);
  if (due === undefined) throw new Error("nothing was due");
  await attemptDelivery(bed.ctx, due);
  const { attempts } = await readDelivery(bed.ctx, account, deliveryId);
  expect(attempts).toMatchObject([{ status: null, reason: /public/ }]);
});

test("a 410 is tried again like every other answer that is no 2xx", async () => {
  const server = createHttpServer((_request, response) => response.writeHead(410).end());
  const { attempts, outcome, nextAttemptAt } = await attemptAt(`http://${await listen(server)}/`);
  server.closeAllConnections();
  server.close();
  expect(attempts).toMatchObject([{ status: 410, reason: "answered 410" }]);
  expect({ outcome, nextAttemptAt }).toEqual({
    outcome: "pending",
    nextAttemptAt: expect.any(Number),
  });
});

/** A certificate that is good for that many days, of an authority that this process trusts or not. */
async function certify(dir: string, days: number, name: string) {
  const [ca, caKey] = [join(dir, "ca"), join(dir, "ca-key")];
  const [cert, key, request] = [join(dir, "cert"), join(dir, "key"), join(dir, "request")];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const authority = ["-x509", "-subj", "/CN=authority", "-days", "2", "-keyout", caKey, "-out", ca];
  await run("openssl", ["req", ...kind, ...authority]);
  const subject = ["-subj", "/CN=receiver", "-addext", `subjectAltName=${name}`];
  await run("openssl", ["req", ...kind, ...subject, "-keyout", key, "-out", request]);
  const signed = ["-CA", ca, "-CAkey", caKey, "-CAcreateserial", "-copy_extensions", "copy"];
  const until = ["-days", String(days), "-in", request, "-out", cert];
  await run("openssl", ["x509", "-req", ...signed, ...until]);
  return {
    authority: await readFile(ca, "utf8"),
    key: await readFile(key),
    cert: await readFile(cert),
  };
}

test.each([
  {
    fault: "expired",
    days: -1,
    name: "IP:127.0.0.1",
    isTrusted: true,
    reason: "TLS certificate expired",
  },
  {
    fault: "made for another name",
    days: 2,
    name: "DNS:x",
    isTrusted: true,
    reason: "TLS certificate is for another name",
  },
  {
    fault: "made by nobody we know",
    days: 2,
    name: "IP:127.0.0.1",
    isTrusted: false,
    reason: /^TLS certificate not trusted$/,
  },
])("a certificate that is $fault is refused with a plain reason", async (row) => {
  await using scratch = await makeScratch("tls");
  const { authority, ...certificate } = await certify(scratch.path, row.days, row.name);
  const before = getCACertificates();
  if (row.isTrusted) setDefaultCACertificates([...before, authority]);
  const server = createHttpsServer(certificate, (_request, response) => response.end());
  try {
    const { attempts } = await attemptAt(`https://${await listen(server)}/`);
    expect(attempts).toMatchObject([{ status: null, reason: row.reason }]);
  } finally {
    setDefaultCACertificates(before);
    server.close();
  }
});
