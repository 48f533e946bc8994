import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { Zoetrope } from "@zoetrope/sdk";
import { lavfi, render } from "@zoetrope/testkit/make-media.ts";
import { pngChunk } from "@zoetrope/testkit/pad-file.ts";
import { vi } from "vitest";
import type { Visit } from "../harness/visit.ts";

/** The decisions that the contents of test images call for: the colour states the decision. */
export const contents = {
  green: { color: "#008000", key: "a", verdict: "passed", code: null },
  red: { color: "#c00000", key: "4", verdict: "refused", code: "sexual" },
  blue: { color: "#0000c0", key: "1", verdict: "refused", code: "consent_missing" },
  white: { color: "#f0f0f0", key: "8", verdict: "refused", code: "copyright" },
} as const;

export type Content = keyof typeof contents;
export const contentNames = Object.keys(contents) as Content[];

const uploadsAtOnce = 8;

export function imageOf(content: Content): Promise<Buffer> {
  const { color } = contents[content];
  return render("content.png", [...lavfi(`color=c=${color}:s=320x240:d=1`), "-frames:v", "1"]);
}

/** Uploads images that wait for a person, each named after its content. Nothing else waits. */
export async function fillQueue(visit: Visit, wanted: readonly Content[]) {
  const { bed, account } = visit;
  await withClient(bed.stack.databaseOwnerUrl, (db) => db.query("delete from open_reviews"));
  const images = new Map<Content, Buffer>();
  for (const content of contentNames) images.set(content, await imageOf(content));
  const left = wanted.map((content, at) => ({ content, at }));
  const uploadNext = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { content, at } = next;
      const name = `${content} ${at}`;
      const file = new Blob([bytesOf(images.get(content) ?? Buffer.of(), name)]);
      const client = new Zoetrope({ baseUrl: bed.origin, apiKey: account.key });
      await vi.waitFor(() => client.assets.upload(file, { type: "IMAGE", name }), {
        timeout: 300_000,
        interval: 500, // 20 may be unstored at a time
      });
    }
  };
  await Promise.all(Array.from({ length: uploadsAtOnce }, uploadNext));
  await waitFor(visit, wanted.length);
  await withClient(bed.stack.databaseOwnerUrl, (db) => db.query(inOrder, [account.accountId]));
}

const pngHeadBytes = 33;

/** Returns the bytes of an image with a note added: equal bytes are one asset of an account. */
function bytesOf(png: Buffer, note: string): Uint8Array<ArrayBuffer> {
  const chunk = pngChunk("noTe", Buffer.from(note));
  return new Uint8Array(
    Buffer.concat([png.subarray(0, pngHeadBytes), chunk, png.subarray(pngHeadBytes)]),
  );
}

/** A video of four seconds that waits for a person. Nothing else waits. */
export async function queueVideo(visit: Visit): Promise<void> {
  await fillQueue(visit, []);
  const { bed, account } = visit;
  const source = lavfi("color=c=#008000:s=320x240:r=30:d=4");
  const file = new Blob([new Uint8Array(await render("content.mp4", [...source, ...playable]))]);
  const client = new Zoetrope({ baseUrl: bed.origin, apiKey: account.key });
  await client.assets.upload(file, { type: "VIDEO", name: "green 0" });
  await waitFor(visit, 1);
}

const playable = ["-c:v", "libx264", "-pix_fmt", "yuv420p"];

function waitFor({ bed, account }: Visit, count: number): Promise<void> {
  return vi.waitFor(
    async () => {
      const waiting = await countWaiting(bed.stack.databaseOwnerUrl, account.accountId);
      if (waiting < count) throw new Error(`${waiting} of ${count} wait`);
    },
    { timeout: 600_000, interval: 500 },
  );
}

/** They were stored in any order. */
const inOrder = `update open_reviews o set place_at = now() + split_part(a.name, ' ', 2)::int * interval '1 second'
  from assets a where a.id = o.asset_id and o.account_id = $1`;

function countWaiting(url: string, accountId: string): Promise<number> {
  return withClient(url, async (db) => {
    const text = "select count(*)::int as count from open_reviews where account_id = $1";
    const { rows } = await db.query<{ count: number }>(text, [accountId]);
    return rows[0]?.count ?? 0;
  });
}

/** Every verdict of a person on the account's assets: `name verdict code`. */
export async function readVerdicts({ bed, account, watch }: Visit): Promise<string[]> {
  await watch.settle(); // the next asset is shown before the service has answered
  return withClient(bed.stack.databaseOwnerUrl, async (db) => {
    const { rows } = await db.query<{ line: string }>(
      `select concat_ws(' ', a.name, r.verdict, r.code) as line
       from asset_reviews r join assets a on a.id = r.asset_id
       where a.account_id = $1 and r.actor like 'manual %' order by split_part(a.name, ' ', 2)::int, r.number`,
      [account.accountId],
    );
    return rows.map(({ line }) => line);
  });
}

export interface Seen {
  assetId: string;
  content: Content;
}

/** Waits until another asset is shown, and judges by its pixels as a person would. Null: nothing waits. */
export async function lookAt({ page, t }: Visit, before: string | null): Promise<Seen | null> {
  const shown = page.locator('figure[data-shown="true"] img:not(.invisible)');
  const other = page.locator(`figure[data-shown="true"]:not([data-asset="${before}"])`);
  const empty = page.getByText(t("review:empty"));
  await other.or(empty).first().waitFor();
  if (await empty.isVisible()) return null;
  const [assetId, pixel] = await shown.evaluate((element) => {
    const image = element as HTMLImageElement;
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d");
    context?.drawImage(image, 0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context?.getImageData(0, 0, 1, 1).data ?? [];
    return [image.closest("figure")?.dataset["asset"] ?? "", [red, green, blue]] as const;
  });
  return { assetId, content: nearest(pixel) };
}

function nearest(pixel: readonly number[]): Content {
  const distance = (content: Content) => {
    const hex = contents[content].color.slice(1);
    const parts = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
    return parts.reduce((sum, part, at) => sum + Math.abs(part - (pixel[at] ?? 0)), 0);
  };
  return [...contentNames].sort((one, other) => distance(one) - distance(other))[0] ?? "green";
}
