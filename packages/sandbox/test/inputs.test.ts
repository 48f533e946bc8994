import { expect, test } from "vitest";
import { fetchInput } from "../src/kit/inputs.ts";
import { imageSize } from "../src/render/video/image-size.ts";
import { fileServer } from "./media-support.ts";

const bytes = Buffer.from([0, 1, 2, 253, 254, 255]);

test("a web address gives its bytes, also through a redirect and from any host", async () => {
  const server = await fileServer({ "/a.png": bytes });
  expect(await fetchInput(`${server.url}/a.png`)).toEqual(bytes);
  expect(await fetchInput(`${server.url}/to/a.png`)).toEqual(bytes);
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
  const fetched = fetchInput(`${server.url}/silent`, stopping.signal);
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
