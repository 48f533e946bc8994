import { expect } from "vitest";
import type { Journey } from "../harness/journey.ts";
import { openPerson, openSession } from "../harness/people.ts";
import { totp } from "../harness/totp.ts";
import { signIn } from "../harness/visit.ts";

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
    name: "an owner invites somebody, withdraws the invitation, and the audit has both, by whom and when",
    visitor: { role: "owner" },
    async run({ page, t, open, fill, press, choose, check }) {
      await open("/members");
      await press(page.getByRole("button", { name: t("team:invite") }));
      const dialog = page.getByRole("dialog");
      await fill(dialog.getByLabel(t("team:email")), "eve@example.com");
      await choose(dialog.getByLabel(t("team:role")), "developer");
      await check("invitation form");
      await press(dialog.getByRole("button", { name: t("team:invite") }));
      const row = page.getByRole("row").filter({ hasText: "eve@example.com" });
      await row.waitFor();
      await check("open invitation");
      await press(row.getByRole("button", { name: t("team:revoke") }));
      await press(dialog.getByRole("button", { name: t("team:revoke") }));
      await row.waitFor({ state: "hidden" });
      await press(page.getByRole("link", { name: t("pages.audit") }));
      const entries = page.getByRole("row").filter({ hasText: "Ada Lovelace" });
      await expect.poll(() => entries.count(), { timeout: 60_000 }).toBe(2);
      await check("audit");
      const action = page.getByLabel(t("team:audit.action"), { exact: true });
      await fill(action, "Invitation");
      await page.getByText(t("team:audit.actionRule")).waitFor();
      await fill(action, "invitation.create");
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
    async run({ bed, person, page, t, open, press, fill, check }) {
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
      await fill(page.getByLabel(t("team:name"), { exact: true }), "Ada King");
      await press(page.getByRole("button", { name: t("save") }));
      await page.getByRole("button", { name: "Ada King" }).waitFor();
      await check("profile");
    },
  },
  {
    name: "an authenticator app is enabled by its QR code, shows its recovery codes once, and is disabled by one of them",
    visitor: { role: "viewer" },
    async run({ page, t, open, press, fill, check }) {
      await open("/profile");
      await press(page.getByRole("button", { name: t("team:profile.enable") }));
      await page.getByRole("img", { name: t("team:profile.qr") }).waitFor();
      const panel = page
        .locator("section")
        .filter({ hasText: t("team:profile.totp") })
        .last();
      const secret = (await panel.locator("code").textContent()) ?? "";
      await check("QR code");
      await fill(page.getByLabel(t("team:profile.code")), totp(secret));
      await press(page.getByRole("button", { name: t("team:profile.confirm") }));
      await page.getByText(t("team:profile.recovery")).waitFor();
      const codes = ((await panel.locator("code").textContent()) ?? "").split(" ");
      expect(codes).toHaveLength(10);
      await check("recovery codes");
      await press(panel.locator("summary"));
      await fill(page.getByLabel(t("team:profile.code")), codes[0] ?? "");
      await press(panel.getByRole("button", { name: t("team:profile.disable") }));
      await page.getByText(t("team:profile.totpOff")).waitFor();
    },
  },
];
