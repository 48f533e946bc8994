import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { expect } from "vitest";
import type { Bed } from "../harness/bed.ts";
import type { Journey } from "../harness/journey.ts";
import { ageSessions, givePassword, openPerson, openSession } from "../harness/people.ts";
import { totp } from "../harness/totp.ts";
import { signIn } from "../harness/visit.ts";

/** Makes a link of the invitation, as an operator does. */
async function handOver(bed: Bed, email: string): Promise<void> {
  await withClient(bed.stack.databaseOwnerUrl, async (db) => {
    await db.query("update one_time_links set hash = sha256($1::bytea) where email = $2", [
      crypto.randomUUID(),
      email,
    ]);
    await db.query("delete from mails where recipient = $1", [email]);
  });
}

export const teamJourneys: readonly Journey[] = [
  {
    name: "an owner removes a member: the member's open page and every session of theirs are refused at once",
    visitor: { role: "owner" },
    async run({ bed, account, page, t, open, press, check }) {
      const membership = { accountId: account.accountId, role: "developer" as const };
      const member = await openPerson(bed, { name: "Mallory", memberships: [membership] });
      const other = await bed.browser.newContext();
      await signIn(bed, other, member.token);
      const theirs = await other.newPage();
      const read = () =>
        theirs.evaluate(
          async (accountId) =>
            (await fetch("/api/v1/account/credits", { headers: { "zoetrope-account": accountId } }))
              .status,
          account.accountId,
        );
      await theirs.goto(`${bed.origin}/console/gallery`);
      expect(await read()).toBe(200);
      await open("/members");
      const row = page.getByRole("row").filter({ hasText: "Mallory" });
      await press(row.getByRole("button", { name: t("team:remove") }));
      await check("question before a member is removed");
      const question = page.getByRole("dialog");
      await press(question.getByRole("button", { name: t("team:remove") }));
      await row.waitFor({ state: "hidden" });
      expect(await read()).toBe(403);
      await check("members");
      await other.close();
    },
  },
  {
    name: "an owner invites somebody, reads that nothing was mailed, withdraws the invitation, and the audit has both, by whom and when",
    visitor: { role: "owner" },
    async run({ bed, page, t, open, type, press, choose, check }) {
      await open("/members");
      await press(page.getByRole("button", { name: t("team:invite") }));
      const dialog = page.getByRole("dialog");
      await type(dialog.getByLabel(t("team:email")), "eve@example.com");
      await choose(dialog.getByLabel(t("team:role")), "developer");
      await check("invitation form");
      await press(dialog.getByRole("button", { name: t("team:invite") }));
      const row = page.getByRole("row").filter({ hasText: "eve@example.com" });
      await row.waitFor();
      await page.getByText(t("team:notMailed")).waitFor();
      await page.getByText(t("team:noMail")).waitFor();
      await row.getByText(t("mail.off"), { exact: true }).waitFor();
      await check("open invitation");
      await handOver(bed, "eve@example.com");
      await page.reload();
      await row.getByText(t("mail.link"), { exact: true }).waitFor();
      expect(await row.getByRole("button").allTextContents()).toEqual([t("team:revoke")]);
      await press(row.getByRole("button", { name: t("team:revoke") }));
      await press(dialog.getByRole("button", { name: t("team:revoke") }));
      await row.waitFor({ state: "hidden" });
      await press(page.getByRole("link", { name: t("pages.audit") }));
      const entries = page.getByRole("row").filter({ hasText: "Ada Lovelace" });
      await expect.poll(() => entries.count(), { timeout: 60_000 }).toBe(2);
      await check("audit");
      const action = page.getByLabel(t("team:audit.action"), { exact: true });
      await type(action, "Invitation");
      await page.getByText(t("team:audit.actionRule")).waitFor();
      await type(action, "invitation.create");
      await expect.poll(() => entries.count()).toBe(1);
      await expect.poll(() => page.url()).toContain("action=invitation.create");
    },
  },
  {
    name: "the last owner can be neither demoted nor removed, and the page says so before it is tried",
    visitor: { role: "owner" },
    async run({ page, t, open, check }) {
      await open("/members");
      const row = page.getByRole("row").filter({ hasText: t("team:you") });
      await expect.poll(() => row.getByRole("combobox").isDisabled()).toBe(true);
      await expect
        .poll(() => row.getByRole("button", { name: t("team:leave") }).isDisabled())
        .toBe(true);
      await check("the last owner");
    },
  },
  {
    name: "a person ends a forgotten session from another browser, and it is signed out",
    visitor: { role: "viewer" },
    async run({ bed, person, page, t, open, press, type, check }) {
      const forgotten = await bed.browser.newContext();
      await signIn(bed, forgotten, await openSession(bed, person.personId));
      const old = await forgotten.newPage();
      await old.goto(`${bed.origin}/console/gallery`);
      await old.locator("h1").waitFor();
      await open("/profile");
      await press(page.getByRole("button", { name: t("team:profile.end"), exact: true }).first());
      await page.getByText(t("team:profile.ended")).waitFor();
      await old.reload();
      await old.getByLabel(/E-mail/).waitFor();
      await forgotten.close();
      await type(page.getByLabel(t("team:name"), { exact: true }), "Ada King");
      await press(page.getByRole("button", { name: t("save") }));
      await page.getByRole("button", { name: "Ada King" }).waitFor();
      await check("profile");
    },
  },
  {
    name: "an authenticator app is enabled by its QR code, shows its recovery codes once, and in an old session one of them disables it",
    visitor: { role: "viewer" },
    async run({ bed, person, page, t, open, press, type, check }) {
      await open("/profile");
      await press(page.getByRole("button", { name: t("team:profile.enable") }));
      await page.getByRole("img", { name: t("team:profile.qr") }).waitFor();
      const panel = page
        .locator("section")
        .filter({ hasText: t("team:profile.totp") })
        .last();
      const secret = (await panel.locator("code").textContent()) ?? "";
      await check("QR code");
      await type(page.getByLabel(t("team:profile.code")), totp(secret));
      await press(page.getByRole("button", { name: t("team:profile.confirm") }));
      await page.getByText(t("team:profile.recovery")).waitFor();
      const codes = ((await panel.locator("code").textContent()) ?? "").split(" ");
      expect(codes).toHaveLength(10);
      await check("recovery codes");
      await ageSessions(bed, person.personId);
      await press(panel.getByRole("button", { name: t("team:profile.disable") }));
      const question = page.getByRole("dialog", { name: t("team:profile.disable") });
      await press(question.getByRole("button", { name: t("team:profile.disable") }));
      const proof = page.getByRole("dialog", { name: t("proof.title") });
      await type(proof.getByLabel(t("signIn.code")), codes[0] ?? "");
      await press(proof.getByRole("button", { name: t("proof.submit") }));
      await page.getByText(t("team:profile.totpOff")).waitFor();
    },
  },
  {
    name: "an owner in an old session proves by password that it is them, and the key that was asked for is made; the webhook secret is shown after another proof",
    visitor: { role: "owner" },
    async run({ bed, person, context, page, t, open, press, type }) {
      const password = "correct horse battery staple";
      await givePassword(bed, person.personId, password);
      await signIn(bed, context, await openSession(bed, person.personId));
      await ageSessions(bed, person.personId);
      await open("/keys");
      await press(page.getByRole("button", { name: t("developers:keys.create") }).first());
      const form = page.getByRole("dialog");
      await type(form.getByLabel(t("developers:keys.name")), "Nightly");
      await press(form.getByRole("button", { name: t("developers:keys.create") }));
      const proof = page.getByRole("dialog", { name: t("proof.title") });
      const secret = proof.getByLabel(t("signIn.password"));
      await secret.waitFor();
      await expect
        .poll(() => secret.evaluate((field) => field === document.activeElement))
        .toBe(true);
      await type(secret, "not the password at all");
      await press(proof.getByRole("button", { name: t("proof.submit") }));
      await proof.getByRole("alert").waitFor();
      await type(secret, password);
      await press(proof.getByRole("button", { name: t("proof.submit") }));
      await proof.waitFor({ state: "hidden" });
      await page.getByText("Nightly").first().waitFor();
      await ageSessions(bed, person.personId);
      await open("/webhooks");
      await press(page.getByRole("button", { name: t("developers:endpoints.showSecret") }));
      await type(secret, password);
      await press(proof.getByRole("button", { name: t("proof.submit") }));
      await page.getByText(/^whsec_/).waitFor();
    },
  },
];
