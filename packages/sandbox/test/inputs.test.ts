import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { expect, test } from "vitest";
import { imageSize } from "../src/kit/image-size.ts";
import { openInputs } from "../src/kit/inputs.ts";
import { createReach, createReachBelow } from "../src/kit/reach.ts";
import { fileServer } from "./media-support.ts";

const bytes = Buffer.from([0, 1, 2, 253, 254, 255]);

const stopping = new AbortController().signal;
const mayReach = createReach(undefined);
const fetchInput = openInputs({ mayReach, mayFollow: undefined, stopping });

test("a web address gives its bytes, but no redirect is followed", async () => {
  const server = await fileServer({ "/a.png": bytes });
  expect(await fetchInput(`${server.url}/a.png`)).toEqual(bytes);
  await expect(fetchInput(`${server.url}/to/a.png`)).rejects.toMatchObject({
    outcome: "input_unreachable",
    message: expect.stringMatching(/status code: 30\d$/),
  });
});

test("the service may redirect once, to its storage, and nowhere else", async () => {
  const file = { status: 200, body: bytes };
  const to = (location: string) => ({ status: 302, headers: { location } });
  await using inside = await startReceiver(() => file);
  await using bucket = await startReceiver(({ path }) =>
    path === "/bucket/on" ? to(`${bucket.url}/bucket/a.png`) : file,
  );
  const leads: Readonly<Record<string, string>> = {
    "/stored": `${bucket.url}/bucket/a.png?X-Amz-Signature=1`,
    "/on": `${bucket.url}/bucket/on`,
    "/other-bucket": `${bucket.url}/other/a.png`,
    "/climbs": `${bucket.url}/bucket/../other/a.png`,
    "/elsewhere": `${inside.url}/bucket/a.png`,
    "/user": `${bucket.url}@${new URL(inside.url).host}/bucket/a.png`,
    "/own": "/plain",
    "/file": "file:///etc/passwd",
  };
  await using service = await startReceiver(({ path }) => {
    const lead = leads[path];
    return lead === undefined ? file : to(lead);
  });
  const fetchStored = openInputs({
    mayReach: createReach(service.url),
    mayFollow: createReachBelow(`${bucket.url}//bucket`),
    stopping,
  });
  expect(await fetchStored(`${service.url}/stored`)).toEqual(bytes);
  for (const path of ["/on", "/other-bucket", "/climbs", "/elsewhere", "/user", "/own", "/file"])
    await expect(fetchStored(service.url + path), path).rejects.toMatchObject({
      outcome: "input_unreachable",
      message: `Error while downloading: ${service.url}${path}, status code: 302`,
    });
  await expect(fetchStored(`${bucket.url}/bucket/a.png`)).rejects.toMatchObject({
    message: expect.stringMatching(/not an address of the service$/),
  });
  const asked = bucket.received.map(({ path }) => path);
  expect(asked).toEqual(["/bucket/a.png?X-Amz-Signature=1", "/bucket/on"]);
  expect(inside.received).toEqual([]);
});

test.each([
  ["https://media.example.com/media/a.png", true],
  ["HTTPS://MEDIA.EXAMPLE.COM:443/media/a.png", true],
  ["http://media.example.com/media/a.png", false],
  ["https://media.example.com:8443/media/a.png", false],
  ["https://media.example.com.attacker.example/media/a.png", false],
  ["https://media.example.com@attacker.example/media/a.png", false],
  ["https://attacker.example/https://media.example.com/", false],
  ["http://127.0.0.1:8000/_sandbox/stats", false],
  ["http://169.254.169.254/latest/meta-data", false],
])("a sandbox of https://media.example.com reaches %s: %s", (url, isReached) => {
  expect(createReach("https://media.example.com")(url)).toBe(isReached);
});

test.each([
  ["https://example.com/zoetrope/media/a.png", true],
  ["https://example.com/zoetrope-admin", false],
  ["https://example.com/zoetrope/../admin", false],
])("a sandbox of https://example.com/zoetrope reaches %s: %s", (url, isReached) => {
  expect(createReach("https://example.com/zoetrope")(url)).toBe(isReached);
});

test.each([
  ["http://localhost:8080/a.png", true],
  ["http://[::1]:8080/a.png", true],
  ["http://localhost.attacker.example/a.png", false],
  ["http://10.0.0.1/a.png", false],
  ["https://example.com/a.png", false],
])("a sandbox without a service reaches %s: %s", (url, isReached) => {
  expect(createReach(undefined)(url)).toBe(isReached);
});

test("what is not there, not reachable or no web address is unreachable, and says so like Ark", async () => {
  const server = await fileServer({});
  for (const [url, message] of [
    [`${server.url}/none`, `Error while downloading: ${server.url}/none, status code: 404`],
    ["http://127.0.0.1:1/a", "Error while downloading: http://127.0.0.1:1/a, connection failed"],
    ["file:///etc/passwd", "Error while downloading: file:///etc/passwd, unsupported scheme"],
    ["/etc/passwd", "Error while downloading: /etc/passwd, unsupported scheme"],
  ] as const) {
    const wanted = { outcome: "input_unreachable", message };
    await expect(fetchInput(url), url).rejects.toMatchObject(wanted);
  }
});

test("no more than 64 MB are taken", async () => {
  const server = await fileServer({
    "/most": Buffer.alloc(64 * 1024 * 1024),
    "/more": Buffer.alloc(64 * 1024 * 1024 + 1),
  });
  expect((await fetchInput(`${server.url}/most`)).length).toBe(64 * 1024 * 1024);
  await expect(fetchInput(`${server.url}/more`)).rejects.toMatchObject({
    outcome: "input_unreachable",
    message: expect.stringMatching(/more than 67108864 bytes/),
  });
});

test("a fetch ends with the sandbox", async () => {
  const server = await fileServer({});
  const stopping = new AbortController();
  const stopped = { mayReach, mayFollow: undefined, stopping: stopping.signal };
  const fetched = openInputs(stopped)(`${server.url}/silent`);
  stopping.abort();
  await expect(fetched).rejects.toMatchObject({ outcome: "input_unreachable" });
});

test("data URIs are read in base64 and in plain letters", async () => {
  expect(await fetchInput(`data:image/png;base64,${bytes.toString("base64")}`)).toEqual(bytes);
  expect(await fetchInput(`data:image/png;x=y;BASE64,${bytes.toString("base64")}`)).toEqual(bytes);
  expect(await fetchInput("data:,a%20b")).toEqual(Buffer.from("a b"));
});

test.each(["data:image/png;base64", "data:image/png;base64,a b", "data:,%zz", "data:"])(
  "%s is unusable",
  async (uri) => {
    await expect(fetchInput(uri)).rejects.toMatchObject({ outcome: "input_unusable" });
  },
);

test("an asset is an image of its own, always the same", async () => {
  const [one, again, other] = await Promise.all(
    ["asset-1-a", "asset-1-a", "'%{n}:text=\u0000"].map((id) => fetchInput(`asset://${id}`)),
  );
  expect(await imageSize(one ?? bytes)).toEqual({ width: 1_280, height: 720 });
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
});
