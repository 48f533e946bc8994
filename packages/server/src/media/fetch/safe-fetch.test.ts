import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createSecureServer } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { Readable } from "node:stream";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { makeCertificate } from "@zoetrope/testkit/make-certificate.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { expect, test } from "vitest";
import { createNameResolver } from "./resolve-name.ts";
import { createSafeFetch, readAtMost, resolveAllowed } from "./safe-fetch.ts";

const get = { method: "GET", protocols: ["http:"], totalMsMax: 5_000 } as const;

test("a loopback address is never connected to, by number or by a name that resolves to it", async () => {
  await using receiver = await startReceiver();
  const safeFetch = createSafeFetch({ allowLoopback: false });
  const { port } = new URL(receiver.url);
  await expect(safeFetch(`http://127.0.0.1:${port}/`, get)).rejects.toThrow("public address");
  await expect(safeFetch(`http://localhost:${port}/`, get)).rejects.toThrow("public address");
  expect(receiver.received).toEqual([]);
  await safeFetch.close();
});

test("a name is judged by every address it resolves to, before connecting", async () => {
  // `localhost` passes the check of the URL here and is stopped by the connector, which resolves it.
  const resolve = (host: string) =>
    resolveAllowed(host, { allowLoopback: false }, createNameResolver());
  await expect(resolve("localhost")).rejects.toThrow("not public");
  await expect(resolve("[::1]")).rejects.toThrow("not public");
  expect(await resolve("8.8.8.8")).toEqual(["8.8.8.8"]);
});

test("nothing ambient is sent along", async () => {
  await using receiver = await startReceiver();
  const safeFetch = createSafeFetch({ allowLoopback: true });
  const { status } = await safeFetch(receiver.url, get);
  expect(status).toBe(200);
  const [request] = receiver.received;
  expect(Object.keys(request?.headers ?? {}).sort()).toEqual([
    "accept-encoding",
    "connection",
    "host",
  ]);
  await safeFetch.close();
});

test("of a long answer only the permitted bytes are read", async () => {
  let produced = 0;
  const endless = Readable.from(
    (function* () {
      for (;;) {
        produced += 1;
        yield Buffer.alloc(1024);
      }
    })(),
  );
  expect((await readAtMost(endless, 10_000)).length).toBe(10_000);
  expect(produced).toBeLessThan(100);
  expect(endless.destroyed).toBe(true);
});

/** A server that redirects every path to a given target. */
async function startRedirects(targetOf: (path: string) => string | null) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const location = targetOf(request.url ?? "");
    if (location === null) response.end("here");
    else response.writeHead(302, { location }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, [Symbol.asyncDispose]: async () => void server.close() };
}

test("a redirect is not followed unless asked for, and then three times at most", async () => {
  await using redirects = await startRedirects((path) =>
    path === "/0" ? null : `/${Number(path.slice(1)) - 1}`,
  );
  const safeFetch = createSafeFetch({ allowLoopback: true });
  expect((await safeFetch(`${redirects.url}/1`, get)).status).toBe(302);
  const followed = await safeFetch(`${redirects.url}/3`, { ...get, redirectsMax: 3 });
  expect([followed.status, redirects.asked]).toEqual([200, ["/1", "/3", "/2", "/1", "/0"]]);
  const tooMany = safeFetch(`${redirects.url}/4`, { ...get, redirectsMax: 3 });
  await expect(tooMany).rejects.toThrow("too many redirects");
  await safeFetch.close();
});

test.each([
  ["http://10.0.0.1/", "public address"],
  ["http://169.254.169.254/latest/meta-data/", "public address"],
  ["http://[fd00::1]/", "public address"],
  ["file:///etc/passwd", "must start with http:"],
  ["http://user:pass@example.com/", "user name"],
  ["http://[", "must be a valid URL"],
])("a redirect to %s is checked like a first address", async (target, reason) => {
  await using redirects = await startRedirects(() => target);
  const safeFetch = createSafeFetch({ allowLoopback: true });
  const fetched = safeFetch(redirects.url, { ...get, redirectsMax: 3 });
  await expect(fetched).rejects.toThrow(reason);
  await safeFetch.close();
});

/** A host with a certificate that is trusted here, and that would rather speak HTTP/2. */
async function startSecureHost(locationOf: (path: string) => string | null) {
  const scratch = await makeScratch("secure");
  const files = await makeCertificate(scratch.path);
  const [key, cert] = await Promise.all([readFile(files.key), readFile(files.cert)]);
  const trusted = getCACertificates("default");
  setDefaultCACertificates([...trusted, cert.toString()]);
  const server = createSecureServer({ key, cert, allowHTTP1: true }, (request, response) => {
    const location = locationOf(request.url);
    if (location === null) response.end(request.httpVersion);
    else response.writeHead(302, { location }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      setDefaultCACertificates(trusted);
      server.close();
      await scratch.remove();
    },
  };
}

test("a redirect leads from http to https, and never from https to http", async () => {
  await using plain = await startRedirects((path) => (path === "/up" ? `${secure.url}/` : null));
  await using secure = await startSecureHost((path) =>
    path === "/down" ? plain.url : path === "/on" ? "/" : null,
  );
  const safeFetch = createSafeFetch({ allowLoopback: true });
  const follow = { ...get, protocols: ["http:", "https:"], redirectsMax: 3 } as const;
  expect((await safeFetch(`${secure.url}/on`, follow)).status).toBe(200);
  expect((await safeFetch(`${plain.url}/up`, follow)).status).toBe(200);
  await expect(safeFetch(`${secure.url}/down`, follow)).rejects.toThrow("must start with https://");
  expect(plain.asked).toEqual(["/up"]);
  await safeFetch.close();
});

test("HTTP/1.1 is spoken also with hosts that know HTTP/2, where the limits are others", async () => {
  await using host = await startSecureHost(() => null);
  const safeFetch = createSafeFetch({ allowLoopback: true });
  const { body } = await safeFetch(host.url, { ...get, protocols: ["https:"] });
  expect((await readAtMost(body, 100)).toString()).toBe("1.1");
  await safeFetch.close();
});

test("an egress proxy gets the checked address, and a private one never reaches it", async () => {
  await using receiver = await startReceiver();
  const tunnels: string[] = [];
  const proxy = createServer();
  proxy.on("connect", (request, client) => {
    tunnels.push(`${request.url} ${request.headers["proxy-authorization"]}`);
    const { port } = new URL(receiver.url);
    const upstream = connect(Number(port), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on("error", () => client.destroy());
    client.on("error", () => upstream.destroy());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  const safeFetch = createSafeFetch({ allowLoopback: false }, `http://me:secret@127.0.0.1:${port}`);
  expect((await safeFetch("http://8.8.8.8/hook", get)).status).toBe(200);
  await expect(safeFetch("http://10.0.0.1/", get)).rejects.toThrow("public address");
  expect(tunnels).toEqual([`8.8.8.8:80 Basic ${Buffer.from("me:secret").toString("base64")}`]);
  expect(receiver.received).toMatchObject([{ path: "/hook" }]);
  await safeFetch.close();
  proxy.closeAllConnections();
  proxy.close();
});
