import { writeFile } from "node:fs/promises";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { expect } from "vitest";
import type { Bed } from "../harness/bed.ts";
import type { Journey } from "../harness/journey.ts";
import { openPerson } from "../harness/people.ts";
import type { Visit } from "../harness/visit.ts";
import { type Content, fillQueue, imageOf } from "./review-assets.ts";

const chunkBytes = 2 * 1024 * 1024;

const fileOf = async (name: string, content: Content) => ({
  name,
  mimeType: "image/png",
  buffer: await imageOf(content),
});

/** Returns the input for files, which are chosen through the browser's own dialog; a test supplies them. */
function picker({ page, t }: Visit) {
  return page.getByLabel(t("assets:upload"), { exact: true }).and(page.locator("input"));
}

const uploadButton = ({ page, t }: Visit, count: number) =>
  page.getByRole("button", { name: t("assets:uploadFiles", { count }) });

export const assetJourneys: readonly Journey[] = [
  {
    name: "several files are uploaded with a declaration, found by name and state in the URL, opened and deleted",
    visitor: { role: "developer" },
    async run(visit) {
      const { page, t, open, press, type, choose } = visit;
      await open("/assets");
      await page.getByText(t("assets:empty")).waitFor();
      await visit.check("empty library");
      await picker(visit).setInputFiles([
        await fileOf("harbour.png", "blue"),
        await fileOf("meadow.png", "green"),
        { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no image") },
      ]);
      await page.getByText(t("assets:fault.type")).waitFor();
      await press(page.getByLabel(t("assets:showsPeople")));
      await type(page.getByLabel(t("assets:people")), "Ada Lovelace");
      await type(page.getByLabel(t("assets:purpose"), { exact: true }), "Videos for her own page");
      const form = {
        name: "form.pdf",
        mimeType: "application/pdf",
        buffer: Buffer.from("%PDF-1.4\n"),
      };
      await page.getByLabel(t("assets:form")).setInputFiles(form);
      await press(page.getByRole("checkbox", { name: "meadow.png" }));
      await visit.check("before the upload");
      await press(uploadButton(visit, 2));
      // An upload on its way has buttons with the same name.
      const library = page.getByRole("list", { name: t("pages.assets"), exact: true });
      const tile = (name: string) => library.getByRole("button", { name });
      await tile("harbour.png").waitFor();
      await press(tile("meadow.png"));
      await page.getByText(t("assets:notDeclared")).waitFor(); // nobody was declared in it
      await page.keyboard.press("Escape");
      await visit.check("library");
      await type(page.getByLabel(t("assets:nameLabel")), "HARB");
      await page.waitForURL(/name=HARB/);
      await choose(page.getByLabel(t("assets:statusLabel")), "PROCESSING");
      await page.waitForURL(/status=PROCESSING/);
      await tile("meadow.png").waitFor({ state: "detached" });
      await press(tile("harbour.png"));
      await page.waitForURL(/open=\d+/);
      await page.getByText("Ada Lovelace").first().waitFor();
      await visit.check("asset");
      await press(page.getByRole("button", { name: t("assets:delete") }));
      await page.getByText(t("assets:deleteEffect.outputs")).waitFor();
      await visit.check("effect of a delete");
      await press(page.getByRole("button", { name: t("assets:delete") }).last());
      await page.getByText(t("assets:noneFound")).waitFor();
    },
  },
  {
    name: "an upload is paused and resumed, and after a reload the same file goes on with the rest",
    visitor: { role: "owner" },
    async run(visit) {
      const { page, t, open, press } = visit;
      await open("/assets");
      const buffer = Buffer.concat([await imageOf("red"), Buffer.alloc(3 * chunkBytes)]);
      const path = `${visit.bed.scratch.path}/large-${visit.account.accountId}.png`;
      await writeFile(path, buffer);
      const sent: string[] = [];
      let isHeld = true;
      await page.route(/\/uploads?\/|\/media\//, async (route) => {
        if (route.request().method() !== "PUT") return route.continue();
        if (isHeld && sent.length > 0) return route.abort();
        sent.push(route.request().url());
        return route.continue();
      });
      await picker(visit).setInputFiles(path);
      await press(uploadButton(visit, 1));
      await page.getByText("25%").waitFor();
      await press(page.getByRole("button", { name: t("assets:pauseOf", { name: nameOf(path) }) }));
      await page.getByText(t("assets:sending.paused", { percent: 25 })).waitFor();
      await visit.check("paused upload");
      await page.reload();
      await page.getByText(t("assets:unfinishedAbout")).waitFor();
      await visit.check("unfinished upload");
      isHeld = false;
      await picker(visit).setInputFiles(path);
      await page.getByText(t("assets:resumes"), { exact: true }).waitFor();
      await press(uploadButton(visit, 1));
      await page.getByText(t("assets:sending.done")).waitFor();
      expect(sent).toHaveLength(4);
      expect(new Set(sent.map((url) => new URL(url).pathname)).size).toBe(4);
    },
  },
  {
    name: "a refused asset shows the reason and what to do next; an approved one is handed to the playground",
    visitor: { role: "owner" },
    async run(visit) {
      const { bed, page, t, open, press } = visit;
      await fillQueue(visit, ["green", "red"]);
      await open("/assets");
      const tile = (name: string) => page.getByRole("button", { name });
      await tile("red 1").waitFor();
      const ids = await withClient(bed.stack.databaseOwnerUrl, async (db) => {
        const text = "select id, name from assets where account_id = $1 order by name";
        return (await db.query<{ id: string }>(text, [visit.account.accountId])).rows;
      });
      const [green, red] = ids.map(({ id }) => Number(id));
      await judge(bed, "approve", { assetId: green });
      await judge(bed, "refuse", { assetId: red, code: "illegal", text: "Counterfeit money." });
      await expect
        .poll(
          async () => {
            await page.reload();
            await tile("green 0").waitFor();
            return [await tile("green 0").textContent(), await tile("red 1").textContent()];
          },
          { timeout: 120_000, interval: 500 },
        )
        .toEqual([
          expect.stringContaining(t("assets:status.ACTIVE")),
          expect.stringContaining(t("assets:status.FAILED")),
        ]);
      await press(tile("red 1"));
      await page.getByText(refusedFor[visit.variant.language]).waitFor();
      expect(await page.getByText("Counterfeit money").count()).toBe(0); // the words are for operators
      await page.getByText(t("assets:next.FAILED")).waitFor();
      await visit.check("refused asset");
      await page.keyboard.press("Escape");
      await press(tile("green 0"));
      await press(page.getByRole("link", { name: t("assets:useInPlayground") }));
      await page.waitForURL(/\/playground\?.*asset=/);
    },
  },
  {
    name: "a viewer sees the library and can neither upload nor delete",
    visitor: { role: "viewer", width: 390 },
    async run(visit) {
      const { page, t, open, press } = visit;
      await fillQueue(visit, ["green"]);
      await open("/assets");
      await press(page.getByRole("button", { name: "green 0" }));
      await page.getByText(t("assets:next.PROCESSING")).waitFor();
      await visit.check("asset of a viewer");
      await expect
        .poll(() => page.getByRole("button", { name: t("assets:delete") }).count())
        .toBe(0);
      await page.keyboard.press("Escape");
      await expect
        .poll(() => page.getByRole("button", { name: t("assets:upload") }).count())
        .toBe(0);
      expect(visit.watch.requests.filter((one) => one.includes("/assets"))).toEqual([
        "GET /api/v1/assets/list",
        "GET /api/v1/assets/declaration",
      ]);
    },
  },
];

const refusedFor = {
  en: "The review did not pass. Shows illegal content.",
  zh: "审核未通过。包含违法内容。",
};

/** Decides on an asset through the API, as a reviewer does. */
async function judge(bed: Bed, what: "approve" | "refuse", body: Record<string, unknown>) {
  const { token } = await openPerson(bed, { staffRole: "reviewer" });
  for (const [path, sent] of [
    ["claim", { assetId: body["assetId"] }] as const,
    [what, body] as const,
  ]) {
    const answer = await fetch(`${bed.origin}/api/admin/v1/review/${path}`, {
      method: "POST",
      headers: {
        cookie: `__Host-session=${token}`,
        origin: bed.origin,
        "content-type": "application/json",
      },
      body: JSON.stringify(sent),
    });
    expect(answer.status).toBe(200);
  }
}

function nameOf(path: string): string {
  return path.split("/").at(-1) ?? path;
}
