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

/** An endpoint that fails for two days, and an event for it whose last attempt failed an hour ago. */
async function loseDelivery(bed: Bed, accountId: string): Promise<{ host: string }> {
  const host = `${accountId}.example.com`;
  const url = `https://${host}/hook?token=hidden`;
  const endpointId = newId();
  await withClient(bed.stack.databaseOwnerUrl, async (db) => {
    await db.query(
      `insert into webhook_endpoints (id, account_id, url, description, secret)
       values ($1, $2, $3, '', '')`,
      [endpointId, accountId, url],
    );
    await db.query(
      `insert into endpoint_health (endpoint_id, status, reason, since, failures, failing_since, last_attempt_at)
       values ($1, 503, 'answered 503', now() - interval '2 days', 40, now() - interval '2 days', now())`,
      [endpointId],
    );
    await db.query(
      `insert into deliveries (id, account_id, endpoint_id, url, body, created_at, given_up_at)
       values ($1, $2, $3, $4, '{}', now() - interval '3 hours', now() - interval '1 hour')`,
      [newId(), accountId, endpointId, url],
    );
  });
  return { host };
}

/** A vendor account of the database that gets no task. */
async function addVendor(bed: Bed, accountId: string): Promise<string> {
  const name = `spare-${accountId.slice(-6)}`;
  await bed.stack.admin("POST", "/vendor-accounts", {
    name,
    kind: "ark",
    baseUrl: `${bed.stack.sandboxUrl}/api/v3`,
    weight: 0,
    isTest: true,
    apiKey: "sandbox-ark-key",
  });
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
    name: "an endpoint that keeps failing and a delivery that was given up are on the status and on the page of deliveries, with their host",
    visitor: { staffRole: "operator" },
    async run({ bed, page, account, t, open, press, check }) {
      const { host } = await loseDelivery(bed, account.accountId);
      await open("/operations");
      const section = page.getByRole("region", { name: t("operations:status.problems") });
      for (const name of ["failingEndpoints", "givenUp"] as const) {
        const [words = ""] = t(`operations:problem.${name}`, { number: 0 }).split("0");
        await section.getByRole("listitem").filter({ hasText: words }).waitFor();
      }
      expect(await page.getByText(t("operations:status.well")).count()).toBe(0);
      await check("status");
      await press(section.locator('a[href$="/operations/deliveries"]').last());
      for (const name of [t("frame:pages.deliveries"), t("operations:hosts.endpoints")]) {
        const row = page.getByRole("table", { name }).getByRole("row").filter({ hasText: host });
        await row.waitFor();
      }
      for (const text of ["none", "noEndpoints"] as const)
        expect(await page.getByText(t(`operations:hosts.${text}`)).count()).toBe(0);
      expect(await page.getByText("hidden").count()).toBe(0); // the token in the path
    },
  },
  {
    name: "a large grant waits for a second operator, and whoever asked for it cannot approve it",
    visitor: { staffRole: "operator" },
    async run({ bed, context, page, account, t, open, press, type, check }) {
      await open(`/operations/grants?of=${account.accountId}`);
      await press(page.getByRole("button", { name: t("operations:grants.ask") }));
      const dialog = page.getByRole("dialog");
      await type(dialog.getByLabel(t("operations:credits"), { exact: true }), "50000");
      await type(dialog.getByLabel(t("operations:grants.again")), "5000");
      await type(dialog.getByLabel(t("operations:reason")), "first contract");
      const next = dialog.getByRole("button", { name: t("operations:grants.continue") });
      await expect.poll(() => next.isDisabled()).toBe(true);
      await type(dialog.getByLabel(t("operations:grants.again")), "50000");
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
      const confirm = dialog.getByRole("button", {
        name: t("operations:grants.giveAction", { number }),
      });
      for (const staffDays of [6, 8]) {
        const other = await openPerson(bed, {
          staffRole: "operator",
          staffDays,
          name: "Grace Hopper",
        });
        await signIn(bed, context, other.token);
        await open(`/operations/grants?of=${account.accountId}&pending=true`);
        await press(approve);
        await check("approval");
        await press(confirm);
        if (staffDays < 7) await dialog.getByText("second_person_needed").waitFor();
      }
      await page.getByText(t("operations:grants.none")).waitFor();
      await open(`/operations/accounts/${account.accountId}`);
      await page.getByText("60,000").first().waitFor();
    },
  },
  {
    name: "an account is found by its name, suspended with a reason and resumed, and its first owner is invited",
    visitor: { staffRole: "operator" },
    async run({ context, page, account, t, open, press, type, check }) {
      await open("/operations/accounts");
      await type(page.getByLabel(t("operations:accounts.search")), account.accountId);
      await press(page.getByRole("button", { name: t("search"), exact: true }));
      await check("search");
      await press(page.getByRole("link", { name: "Lumière Films" }));
      for (const verb of ["suspend", "resume"] as const) {
        await press(page.getByRole("button", { name: t(`operations:account.${verb}`) }));
        const dialog = page.getByRole("dialog");
        await type(dialog.getByLabel(t("operations:reason")), "asked by mail");
        await check(verb);
        await press(dialog.getByRole("button", { name: t(`operations:account.${verb}`) }));
        await dialog.waitFor({ state: "detached" });
      }
      await type(page.getByLabel(t("operations:email")), `${account.accountId}@example.net`);
      await press(page.getByRole("button", { name: t("operations:invite"), exact: true }));
      await page.getByText(`${account.accountId}@example.net`).first().waitFor();
      await page.getByText(t("operations:account.ownerInvited")).waitFor();
      await page.getByText(t("mail.off"), { exact: true }).waitFor(); // no mail server is set here
      const email = `${account.accountId}@example.net`;
      await press(page.getByRole("button", { name: t("operations:invitationLinkOf", { email }) }));
      const link = page.getByRole("dialog").getByText(/\/console\/invitation#token=/);
      await link.waitFor();
      await check("link of an invitation");
      const invited = await context.newPage();
      await invited.goto((await link.textContent()) ?? "");
      await invited.getByLabel(t("invitation.name")).waitFor();
      await invited.close();
      await page.keyboard.press("Escape");
      await page.getByText(t("mail.link"), { exact: true }).waitFor();
      await type(page.getByLabel(t("operations:account.newNote")), "Calls on <b>Mondays</b>");
      await press(page.getByRole("button", { name: t("operations:account.addNote") }));
      await page.locator("li").filter({ hasText: "Calls on <b>Mondays</b>" }).waitFor();
    },
  },
  {
    name: "an agreement frees an account from the visible label until it is ended, and stays readable",
    visitor: { staffRole: "operator" },
    async run({ page, account, t, open, press, type, check }) {
      await open(`/operations/accounts/${account.accountId}`);
      await page.getByText(t("operations:agreements.none")).waitFor();
      await press(page.getByRole("button", { name: t("operations:agreements.record") }));
      const dialog = page.getByRole("dialog");
      await type(dialog.getByLabel(t("operations:agreements.agreedBy")), "the legal department");
      await type(dialog.getByLabel(t("operations:agreements.text")), "We label <b>all</b>.");
      await check("record an agreement");
      await press(dialog.getByRole("button", { name: t("operations:agreements.record") }));
      await dialog.waitFor({ state: "detached" });
      await page.getByText(t("operations:agreements.live")).waitFor();
      await press(page.getByRole("button", { name: t("operations:agreements.end") }));
      await type(dialog.getByLabel(t("operations:reason")), "the contract ended");
      await press(dialog.getByRole("button", { name: t("operations:agreements.end") }));
      await dialog.waitFor({ state: "detached" });
      await page.getByText(t("operations:agreements.none")).waitFor();
      await press(page.getByText(t("operations:agreements.text"), { exact: true }));
      await page.getByText("We label <b>all</b>.").waitFor();
      await check("an earlier agreement");
    },
  },
  {
    name: "a running task is found by its id, shows what the vendor answered, and can be ended as failed",
    visitor: { staffRole: "operator" },
    async run({ bed, page, account, t, open, press, type, check }) {
      const taskId = await openTask(bed, account.key);
      await open("/operations/tasks");
      const search = page.getByLabel(t("operations:tasks.by.taskId"), { exact: true });
      await type(search, "abc");
      await press(page.getByRole("button", { name: t("search"), exact: true }));
      await page.getByText(t("wholeId")).waitFor();
      await type(search, taskId);
      await press(page.getByRole("button", { name: t("search"), exact: true }));
      await press(page.getByRole("button", { name: taskId.slice(-12) }));
      const dialog = page.getByRole("dialog");
      await dialog.getByText(t("operations:tasks.event.accepted"), { exact: true }).waitFor();
      await check("timeline");
      await press(dialog.getByRole("button", { name: t("operations:tasks.fail") }));
      await type(page.getByLabel(t("operations:reason")), "asked by mail");
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
    async run({ bed, page, account, t, open, press, type, check }) {
      const name = await addVendor(bed, account.accountId);
      await open("/operations/vendors");
      const card = page.locator("section").filter({ has: page.getByRole("heading", { name }) });
      const button = (key: "weight" | "pause" | "resume") =>
        card.getByRole("button", { name: t(`operations:vendors.${key}Title`, { name }) });
      const dialog = page.getByRole("dialog");
      await press(button("weight"));
      const weight = dialog.getByLabel(t("operations:vendors.weight"), { exact: true });
      await type(weight, "1001");
      await dialog.getByText(t("operations:vendors.weightRule")).waitFor();
      const save = dialog.getByRole("button", { name: t("save") });
      await expect.poll(() => save.isDisabled()).toBe(true);
      await check("a weight that is refused");
      await type(weight, "7");
      await press(save);
      await dialog.waitFor({ state: "detached" });
      await card.getByText("7", { exact: true }).waitFor();
      for (const verb of ["pause", "resume"] as const) {
        await press(button(verb));
        await dialog.getByText(t(`operations:vendors.${verb}Effect`, { number: 0 })).waitFor();
        await type(dialog.getByLabel(t("operations:reason")), "maintenance of the vendor");
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
      await bed.stack.admin("DELETE", `/vendor-accounts/${name}`);
    },
  },
  {
    name: "a banner is announced in both languages and removed; a model is switched off and on",
    visitor: { staffRole: "operator" },
    async run({ page, variant, t, open, press, type, check }) {
      const text = { en: "Maintenance at noon", zh: "中午维护" };
      await open("/operations/switches");
      await type(page.getByLabel(t("operations:banner.english")), text.en);
      await type(page.getByLabel(t("operations:banner.chinese")), text.zh);
      await press(page.getByRole("button", { name: t("operations:banner.show") }));
      await page.getByRole("status").filter({ hasText: text[variant.language] }).waitFor();
      await check("banner");
      await press(page.getByRole("button", { name: t("operations:banner.remove") }));
      await page.getByText(t("operations:banner.none")).waitFor();
      const model = "Image Plus 2";
      const off = t("operations:models.switchOffTitle", { model });
      const on = t("operations:models.switchOnTitle", { model });
      await press(page.getByRole("button", { name: off }));
      const dialog = page.getByRole("dialog");
      await type(dialog.getByLabel(t("operations:models.message")), "Back at noon.");
      await press(dialog.getByRole("button", { name: t("operations:models.switchOff") }));
      await press(page.getByRole("button", { name: on }));
      await press(dialog.getByRole("button", { name: t("operations:models.switchOn") }));
      await page.getByRole("button", { name: off }).waitFor();
    },
  },
  {
    name: "a colleague is invited to the staff by a link, gets another role and is removed",
    visitor: { staffRole: "operator" },
    async run({ bed, page, account, t, open, press, type, choose, check }) {
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
      await type(page.getByLabel(t("operations:email")), email);
      await press(page.getByRole("button", { name: t("operations:invite"), exact: true }));
      const invited = page.getByRole("listitem").filter({ hasText: email });
      await press(page.getByRole("button", { name: t("operations:invitationLinkOf", { email }) }));
      await dialog.getByText(/\/console\/invitation#token=/).waitFor();
      await press(dialog.getByRole("button", { name: t("close") }));
      await invited.getByText(t("mail.link"), { exact: true }).waitFor();
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
