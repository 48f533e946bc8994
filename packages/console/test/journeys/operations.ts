import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "@zoetrope/dev/open-accounts.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { expect } from "vitest";
import type { Bed } from "../harness/bed.ts";
import type { Journey } from "../harness/journey.ts";
import { openPerson } from "../harness/people.ts";
import { signIn } from "../harness/visit.ts";

async function park(bed: Bed, accountId: string): Promise<string> {
  const key = newId();
  await withClient(bed.stack.databaseOwnerUrl, (db) =>
    db.query(
      `insert into stuck_rows (loop, key, account_id, failures, next_try_at, reason, parked_at)
       values ('deliveries', $1, $2, 10, 'infinity', 'Error: <b>broken</b>', now())`,
      [key, accountId],
    ),
  );
  return key;
}

/** A vendor account of the database that gets no task. */
async function addVendor(bed: Bed, accountId: string): Promise<string> {
  const name = `spare-${accountId.slice(-6)}`;
  const keyFile = join(bed.scratch.path, `${name}.key`);
  await writeFile(keyFile, "sandbox-ark-key");
  const address = ["--kind", "ark", "--base-url", `${bed.stack.sandboxUrl}/api/v3`];
  await bed.stack.operate(
    ...["vendor", "add", "--name", name, "--key-file", keyFile, ...address],
    ...["--test", "--weight", "0"],
  );
  return name;
}

/** A task that the vendor does not finish by itself. */
async function openTask(bed: Bed, key: string): Promise<string> {
  const response = await fetch(`${bed.origin}/api/v1/jobs/createTask`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sd2", inputs: { prompt: "a fox [sandbox:slow=300]" } }),
  });
  const { taskId } = (await response.json()) as { taskId: string };
  return taskId;
}

export const operationsJourneys: readonly Journey[] = [
  {
    name: "what is wrong stands on top of the status and leads to where it is mended",
    visitor: { staffRole: "operator" },
    async run({ bed, page, account, t, open, press, check }) {
      const key = await park(bed, account.accountId);
      await open("/operations");
      const problem = page.getByRole("listitem").filter({ hasText: /[:：] ?\d+/ });
      await problem.first().waitFor();
      await check("status");
      const section = page.getByRole("region", { name: t("operations:status.problems") });
      await press(section.locator('a[href$="/operations/stuck"]').last());
      const row = page.getByRole("row").filter({ hasText: key });
      await press(row.getByRole("button", { name: t("operations:stuck.drop") }));
      await page.getByText(t("operations:stuck.effect.delivery")).waitFor();
      await check("preview of the effect");
      const dialog = page.getByRole("dialog");
      await press(dialog.getByRole("button", { name: t("operations:stuck.drop") }));
      await dialog.waitFor({ state: "detached" });
      await row.waitFor({ state: "detached" });
    },
  },
  {
    name: "a large grant waits for a second operator, and whoever asked for it cannot approve it",
    visitor: { staffRole: "operator" },
    async run({ bed, context, page, account, t, open, press, fill, check }) {
      await open(`/operations/grants?of=${account.accountId}`);
      await press(page.getByRole("button", { name: t("operations:grants.ask") }));
      const dialog = page.getByRole("dialog");
      await fill(dialog.getByLabel(t("operations:credits"), { exact: true }), "50000");
      await fill(dialog.getByLabel(t("operations:grants.again")), "5000");
      await fill(dialog.getByLabel(t("operations:reason")), "first contract");
      const next = dialog.getByRole("button", { name: t("operations:grants.continue") });
      await expect.poll(() => next.isDisabled()).toBe(true);
      await fill(dialog.getByLabel(t("operations:grants.again")), "50000");
      await press(next);
      await dialog.getByText("Lumière Films").waitFor();
      await check("the sentence with the number");
      const number = "50,000";
      await press(
        dialog.getByRole("button", { name: t("operations:grants.giveAction", { number }) }),
      );
      await page.getByText(t("operations:grants.own")).waitFor();
      const approve = page.getByRole("button", { name: t("operations:grants.approve") });
      await expect.poll(() => approve.count()).toBe(0);
      const other = await openPerson(bed, { staffRole: "operator", name: "Grace Hopper" });
      await signIn(bed, context, other.token);
      await open(`/operations/grants?of=${account.accountId}&pending=true`);
      await press(approve);
      await check("approval");
      await press(
        dialog.getByRole("button", { name: t("operations:grants.giveAction", { number }) }),
      );
      await page.getByText(t("operations:grants.none")).waitFor();
      await open(`/operations/accounts/${account.accountId}`);
      await page.getByText("60,000").first().waitFor();
    },
  },
  {
    name: "an account is found by its name, suspended with a reason and resumed, and its first owner is invited",
    visitor: { staffRole: "operator" },
    async run({ page, account, t, open, press, fill, check }) {
      await open("/operations/accounts");
      await fill(page.getByLabel(t("operations:accounts.search")), account.accountId);
      await press(page.getByRole("button", { name: t("search"), exact: true }));
      await check("search");
      await press(page.getByRole("link", { name: "Lumière Films" }));
      for (const verb of ["suspend", "resume"] as const) {
        await press(page.getByRole("button", { name: t(`operations:account.${verb}`) }));
        const dialog = page.getByRole("dialog");
        await fill(dialog.getByLabel(t("operations:reason")), "asked by mail");
        await check(verb);
        await press(dialog.getByRole("button", { name: t(`operations:account.${verb}`) }));
        await dialog.waitFor({ state: "detached" });
      }
      await fill(page.getByLabel(t("operations:email")), `${account.accountId}@example.net`);
      await press(page.getByRole("button", { name: t("operations:invite"), exact: true }));
      await page.getByText(`${account.accountId}@example.net`).first().waitFor();
      await fill(page.getByLabel(t("operations:account.newNote")), "Calls on <b>Mondays</b>");
      await press(page.getByRole("button", { name: t("operations:account.addNote") }));
      await page.locator("li").filter({ hasText: "Calls on <b>Mondays</b>" }).waitFor();
    },
  },
  {
    name: "a running task is found by its id, shows what the vendor answered, and can be ended as failed",
    visitor: { staffRole: "operator" },
    async run({ bed, page, account, t, open, press, fill, check }) {
      const taskId = await openTask(bed, account.key);
      await open("/operations/tasks");
      await fill(page.getByLabel(t("operations:tasks.by.taskId"), { exact: true }), taskId);
      await press(page.getByRole("button", { name: t("search"), exact: true }));
      await press(page.getByRole("button", { name: taskId.slice(-12) }));
      const dialog = page.getByRole("dialog");
      await dialog.getByText(t("operations:tasks.event.accepted"), { exact: true }).waitFor();
      await check("timeline");
      await press(dialog.getByRole("button", { name: t("operations:tasks.fail") }));
      await fill(page.getByLabel(t("operations:reason")), "asked by mail");
      await press(page.getByRole("button", { name: t("operations:tasks.fail") }).last());
      await page.getByText("ended_by_operator").first().waitFor();
    },
  },
  {
    name: "a vendor account is tested without cost",
    visitor: { staffRole: "operator" },
    async run({ page, t, open, press, check }) {
      await open("/operations/vendors");
      await press(page.getByRole("button", { name: t("operations:vendors.tryIt") }).first());
      await page.getByText(/\d+ (ms|毫秒)/).waitFor();
      await check("tested");
    },
  },
  {
    name: "a vendor account gets another weight, is paused with a reason and resumed, and the focus stays with it",
    visitor: { staffRole: "operator" },
    async run({ bed, page, account, t, open, press, fill, check }) {
      const name = await addVendor(bed, account.accountId);
      await open("/operations/vendors");
      const card = page.locator("section").filter({ has: page.getByRole("heading", { name }) });
      const button = (key: "weight" | "pause" | "resume") =>
        card.getByRole("button", { name: t(`operations:vendors.${key}Title`, { name }) });
      const dialog = page.getByRole("dialog");
      await press(button("weight"));
      const weight = dialog.getByLabel(t("operations:vendors.weight"), { exact: true });
      await fill(weight, "1001");
      await dialog.getByText(t("operations:vendors.weightRule")).waitFor();
      const save = dialog.getByRole("button", { name: t("save") });
      await expect.poll(() => save.isDisabled()).toBe(true);
      await check("a weight that is refused");
      await fill(weight, "7");
      await press(save);
      await dialog.waitFor({ state: "detached" });
      await card.getByText("7", { exact: true }).waitFor();
      for (const verb of ["pause", "resume"] as const) {
        await press(button(verb));
        await dialog.getByText(t(`operations:vendors.${verb}Effect`, { number: 0 })).waitFor();
        await fill(dialog.getByLabel(t("operations:reason")), "maintenance of the vendor");
        await check(verb);
        await press(dialog.getByRole("button", { name: t(`operations:vendors.${verb}`) }));
        await dialog.waitFor({ state: "detached" });
        const state = verb === "pause" ? "paused" : "open";
        await card.getByText(t(`operations:vendors.${state}`), { exact: true }).waitFor();
        const next = button(verb === "pause" ? "resume" : "pause");
        await expect
          .poll(() => next.evaluate((element) => element === document.activeElement))
          .toBe(true);
      }
      await bed.stack.operate("vendor", "remove", "--name", name);
    },
  },
  {
    name: "a banner is announced in both languages and removed; a model is switched off and on",
    visitor: { staffRole: "operator" },
    async run({ page, variant, t, open, press, fill, check }) {
      const text = { en: "Maintenance at noon", zh: "中午维护" };
      await open("/operations/switches");
      await fill(page.getByLabel(t("operations:banner.english")), text.en);
      await fill(page.getByLabel(t("operations:banner.chinese")), text.zh);
      await press(page.getByRole("button", { name: t("operations:banner.show") }));
      await page.getByRole("status").filter({ hasText: text[variant.language] }).waitFor();
      await check("banner");
      await press(page.getByRole("button", { name: t("operations:banner.remove") }));
      await page.getByText(t("operations:banner.none")).waitFor();
      const model = "image-plus-2";
      const off = t("operations:models.switchOffTitle", { model });
      const on = t("operations:models.switchOnTitle", { model });
      await press(page.getByRole("button", { name: off }));
      const dialog = page.getByRole("dialog");
      await fill(dialog.getByLabel(t("operations:models.message")), "Back at noon.");
      await press(dialog.getByRole("button", { name: t("operations:models.switchOff") }));
      await press(page.getByRole("button", { name: on }));
      await press(dialog.getByRole("button", { name: t("operations:models.switchOn") }));
      await page.getByRole("button", { name: off }).waitFor();
    },
  },
  {
    name: "a colleague is invited to the staff, gets another role and is removed",
    visitor: { staffRole: "operator" },
    async run({ bed, page, account, t, open, press, fill, choose, check }) {
      const name = `Eve ${account.accountId.slice(-6)}`;
      await openPerson(bed, { staffRole: "support", name });
      await open("/operations/staff");
      const dialog = page.getByRole("dialog");
      await choose(page.getByLabel(t("operations:staff.roleOf", { name })), "reviewer");
      await press(dialog.getByRole("button", { name: t("operations:staff.change") }));
      await dialog.waitFor({ state: "detached" });
      const row = page.getByRole("row").filter({ hasText: name });
      await press(row.getByRole("button", { name: t("operations:staff.remove") }));
      await check("removal");
      await press(dialog.getByRole("button", { name: t("operations:staff.remove") }));
      await row.waitFor({ state: "detached" });
      const email = `${account.accountId}@example.org`;
      await fill(page.getByLabel(t("operations:email")), email);
      await press(page.getByRole("button", { name: t("operations:invite"), exact: true }));
      const invited = page.getByRole("listitem").filter({ hasText: email });
      await press(invited.getByRole("button", { name: t("operations:staff.revoke") }));
      await invited.waitFor({ state: "detached" });
    },
  },
  {
    name: "support sees every page of operations and no control that changes something",
    visitor: { staffRole: "support" },
    async run({ page, account, watch, t, open, check }) {
      const ofAccount = `/operations/accounts/${account.accountId}`;
      const pages = ["", "/vendors", "/accounts", "/grants", "/deliveries", "/stuck", "/ledger"];
      const paths = [...pages, "/switches", "/tasks"].map((path) => `/operations${path}`);
      const harmless: string[] = [
        t("operations:readAgain"),
        t("showMore"),
        t("search"),
        t("operations:vendors.copyCommand"),
      ];
      for (const path of [...paths, ofAccount]) {
        watch.requests.length = 0;
        await open(path);
        await check(path);
        const own = watch.requests.filter((request) => request.includes("/api/admin/"));
        expect(own.length, path).toBeLessThanOrEqual(3);
        const buttons = await page.locator("main").getByRole("button").allTextContents();
        expect(buttons.filter((name) => !harmless.includes(name))).toEqual([]);
      }
    },
  },
];
