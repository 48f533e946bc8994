import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { Zoetrope } from "@zoetrope/sdk";
import { expect, test } from "vitest";
import type { Bed } from "../harness/bed.ts";
import { profile } from "../harness/journey.ts";
import { openVisit, type Variant, type Visit } from "../harness/visit.ts";

/** Every one would run, redirect or break a layout in a page that trusts it. */
const texts = [
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(2)>`,
  `javascript:alert(3)`,
  `</title></textarea></style><svg onload=alert(4)>`,
  `{{constructor.constructor('alert(5)')()}} \${alert(6)}`,
  `[click](javascript:alert(7)) **bold** \`code\` <!-- -->`,
  `مرحبا \u202Egnp.exe\u202C שלום ${"ש".repeat(200)}`,
  `👩‍👩‍👧‍👦🏳️‍🌈 Z̷̢̛a̸l̵g̶o̴ ${"̷".repeat(80)} 漢字`,
  `${"W".repeat(9_000)}${"长".repeat(300)}`,
] as const;

const narrow: Variant = { language: "en", scheme: "light", isKeyboard: false };

/** A hostile set of prompts, names and URLs on every page, on a telephone; the full profile also wide. */
export function hostileTests(bed: () => Bed): void {
  test("hostile prompts, names and URLs run nothing and break no layout on any page", async () => {
    const visit = await openVisit(bed(), { role: "owner", staffRole: "operator" }, narrow);
    const taskIds = await plant(visit);
    for (const width of profile.isFull ? [1280, 390] : [390]) {
      await visit.page.setViewportSize({ width, height: 800 });
      await visit.open("/gallery");
      const links = await visit.page
        .getByRole("navigation", { includeHidden: true })
        .locator("a")
        .evaluateAll((anchors) => anchors.map((anchor) => anchor.getAttribute("href") ?? ""));
      expect(links.length).toBeGreaterThan(20);
      const paths = [
        ...links.map((link) => link.replace(/^\/console/, "")),
        ...taskIds.map((taskId) => `/tasks/${taskId}`),
        `/operations/accounts/${visit.account.accountId}`,
        "/webhooks?tab=deliveries",
        "/webhooks?tab=events",
        `/gallery?prompt=${encodeURIComponent(texts[1])}`,
      ];
      const wide: string[] = [];
      for (const path of paths) {
        await visit.open(path);
        await visit.watch.settle();
        const isWide = await visit.page.evaluate(
          () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
        );
        if (isWide) wide.push(path);
      }
      expect(wide).toEqual([]);
      expect(visit.watch.faults).toEqual([]);
    }
    await visit.context.close();
  });
}

/** Puts the texts wherever a customer, a vendor or a colleague could. */
async function plant({ bed, account, person }: Visit): Promise<string[]> {
  const client = new Zoetrope({ baseUrl: bed.origin, apiKey: account.key });
  const made: string[] = [];
  for (const prompt of texts) {
    const callBackUrl = `http://127.0.0.1:9/hook?x=${encodeURIComponent(prompt.slice(0, 100))}`;
    const request = { model: "image-plus-2" as const, inputs: { prompt: prompt.slice(0, 2_000) } };
    made.push((await client.tasks.create({ ...request, callBackUrl })).taskId);
  }
  const failed = { model: "image-plus-2" as const, inputs: { prompt: `fail ${texts[0]}` } };
  made.push((await client.tasks.create(failed)).taskId);
  await withClient(bed.stack.databaseOwnerUrl, async (db) => {
    const name = `${texts[0]} ${texts[6].slice(0, 40)}`;
    await db.query("update accounts set name = $2 where id = $1", [account.accountId, name]);
    await db.query("update people set name = $2 where id = $1", [person.personId, name]);
    await db.query("update api_keys set name = $2 where account_id = $1", [
      account.accountId,
      texts[1],
    ]);
  });
  await client.request({
    method: "POST",
    path: "/api/v1/webhooks/endpoints",
    body: { url: `http://127.0.0.1:9/${"a".repeat(500)}?<script>`, description: texts[3] },
  });
  for (const taskId of made) await client.tasks.wait(taskId);
  return made.slice(0, 4);
}
