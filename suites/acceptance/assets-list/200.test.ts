import { expect, test } from "vitest";
import { main } from "../src/client.ts";

interface Page {
  items: { assetId: number; type: string; status: string }[];
  nextCursor: number | null;
}

const list = async (query: string) => (await main.listAssets(query)).body as unknown as Page;

test("§4.6 assets come newest first, page by page, each once", async () => {
  for (const type of ["IMAGE", "AUDIO", "VIDEO"])
    await main.uploadAsset({ url: "https://example.com/a", type });
  const whole = await list("?limit=50");
  const first = await list("?limit=2");
  expect(first.items).toHaveLength(2);
  expect(first.nextCursor).toBe(first.items[1]?.assetId);
  const second = await list(`?limit=2&cursor=${first.nextCursor}`);
  const ids = [...first.items, ...second.items].map(({ assetId }) => assetId);
  expect(ids.slice(0, 3)).toEqual(whole.items.slice(0, 3).map(({ assetId }) => assetId));
  expect(ids).toEqual([...ids].sort((one, two) => two - one));
});

test("§4.6 list items carry sides, size and duration", async () => {
  await main.uploadAsset({ url: "https://example.com/a", type: "IMAGE" });
  const [item] = (await list("?limit=1")).items;
  expect(Object.keys(item ?? {})).toEqual(
    expect.arrayContaining(["width", "height", "size", "duration", "url", "name", "failReason"]),
  );
});

test("§4.6 type and status filter, and the last page has no next", async () => {
  await main.uploadAsset({ url: "https://example.com/a", type: "AUDIO" });
  const audioAssets = await list("?type=AUDIO&limit=50");
  expect(audioAssets.items.length).toBeGreaterThan(0);
  expect(new Set(audioAssets.items.map(({ type }) => type))).toEqual(new Set(["AUDIO"]));
  for (const status of ["NONE", "PROCESSING", "ACTIVE", "FAILED"])
    for (const item of (await list(`?status=${status}`)).items) expect(item.status).toBe(status);
  expect(await list("?cursor=1")).toEqual({ items: [], nextCursor: null });
});
