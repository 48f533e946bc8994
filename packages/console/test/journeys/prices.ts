import { newId } from "@zoetrope/dev/open-accounts.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { expect } from "vitest";
import type { Bed } from "../harness/bed.ts";
import type { Journey } from "../harness/journey.ts";
import { openPerson } from "../harness/people.ts";
import { signIn } from "../harness/visit.ts";

/** A book with the prices of A, by which the account pays. */
async function openBook(bed: Bed, accountId: string): Promise<string> {
  const book = `book-${newId().slice(-8)}`;
  await withClient(bed.stack.databaseOwnerUrl, async (db) => {
    await db.query("insert into price_books (name) values ($1)", [book]);
    await db.query(
      `insert into price_versions (book, version, document, valid_from, published_kind, published_by)
       select $1, 1, document, now() - interval '60 days', 'command', 'root'
       from price_versions where book = 'A' and version = 1`,
      [book],
    );
  });
  await bed.stack.admin("PATCH", `/accounts/${accountId}`, { priceBook: book });
  return book;
}

/** A video of five seconds that is completed. */
async function makeVideo(bed: Bed, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const read = async (path: string, init: RequestInit = {}) =>
    (await fetch(`${bed.origin}/api/v1/jobs/${path}`, { headers, ...init })).json();
  const body = JSON.stringify({ model: "sd2", inputs: { prompt: "a fox" } });
  const { taskId } = await read("createTask", { method: "POST", body });
  const end = async () => read(`queryTask?taskId=${taskId}`);
  await expect.poll(async () => (await end()).status, { timeout: 60_000 }).toBe("COMPLETED");
  return (await end()).creditsUsed;
}

export const priceJourneys: readonly Journey[] = [
  {
    name: "an operator changes a price and previews it, a second one approves it, and the customer sees what changes when",
    visitor: { role: "owner", staffRole: "operator" },
    async run({ bed, context, page, account, t, open, press, type, check }) {
      const book = await openBook(bed, account.accountId);
      expect(await makeVideo(bed, account.key)).toBe(30);
      await open(`/operations/prices?book=${book}`);
      await check("the book");
      await press(page.getByRole("button", { name: t("prices:writeDraft") }));
      await type(page.getByRole("textbox", { name: "SD2 720p", exact: true }), "9");
      await page.getByText("+50 %").waitFor();
      await press(page.getByRole("button", { name: t("prices:saveDraft") }));
      await press(page.getByRole("button", { name: t("prices:preview") }));
      const previewed = page.getByRole("region", { name: t("prices:preview") });
      const row = previewed.getByRole("row").filter({ hasText: "SD2" });
      await row.getByText("45").waitFor(); // what the video would have cost
      await check("the preview");
      await press(page.getByRole("button", { name: t("prices:publish") }));
      const dialog = page.getByRole("dialog");
      await type(dialog.getByLabel(t("prices:reason")), "costs rose");
      await check("publishing");
      await press(dialog.getByRole("button", { name: t("prices:publish") }));
      await page.getByText("costs rose").waitFor();

      const approve = page.getByRole("button", { name: t("prices:approve") });
      await press(approve);
      await press(dialog.getByRole("button", { name: t("prices:approve") }));
      await dialog.getByText("second_person_needed").waitFor();
      const second = { staffRole: "operator", staffDays: 8, name: "Grace Hopper" } as const;
      const memberships = [{ accountId: account.accountId, role: "viewer" }] as const;
      const other = await openPerson(bed, { ...second, memberships });
      await signIn(bed, context, other.token);
      await open(`/operations/prices?book=${book}`);
      await press(approve);
      await check("approval");
      await press(dialog.getByRole("button", { name: t("prices:approve") }));
      await page.getByText(t("prices:states.announced")).waitFor();

      const announced = page.getByRole("region", { name: t("prices:change"), exact: true });
      await expect
        .poll(async () => {
          await open("/prices"); // every process knows of it within seconds
          return announced.count();
        })
        .toBe(1);
      await announced.getByText("+50 %").waitFor();
      await check("the customer's prices");
      expect(await makeVideo(bed, account.key)).toBe(30); // until it begins
    },
  },
];
