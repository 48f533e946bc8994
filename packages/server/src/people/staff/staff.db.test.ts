import assert from "node:assert";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openPerson, type TestPerson } from "../../../test/harness/open-person.ts";
import { openPeopleBed, ours, type PeopleBed } from "../../../test/harness/people-bed.ts";
import { tokenIn } from "../../../test/harness/smtp-inbox.ts";
import { adoptLimit, changeLimit, decideLimit } from "../../admin/grant-limit/change-limit.ts";
import { buildApi } from "../../api/build-api.ts";
import type { Actor, PersonId } from "../../ids.ts";
import { inviteStaffByHand } from "./change-staff.ts";
import { deleteStaff, insertStaff } from "./queries.ts";
import { requireSecondPerson } from "./require-second-person.ts";

let bed: PeopleBed;
beforeAll(async () => {
  bed = await openPeopleBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

describe("staff", () => {
  const command: Actor = { kind: "command", user: "root", address: null, requestId: null };

  test("begins with a link that a command prints", async () => {
    const email = bed.newAddress();
    const { token } = await inviteStaffByHand(bed.ctx, command, { email, role: "operator" });
    const accepted = await bed.accept(token);
    const { cookie } = accepted;
    const list = await bed.call("GET", "admin/v1/staff", { cookie });
    expect(list.body["staff"]).toContainEqual(
      expect.objectContaining({ email, role: "operator", name: "Ada" }),
    );
  });

  test("is invited, given another role and removed by an operator", async () => {
    const operator = await openPerson(bed, { staff: "operator" });
    const support = await openPerson(bed, { staff: "support" });
    const body = { email: bed.newAddress(), role: "reviewer" };
    const path = "admin/v1/staff/invitations";
    expect((await bed.call("POST", path, operator.headers, body)).status).toBe(200);
    expect((await bed.accept(tokenIn(await bed.mailTo(body.email)))).status).toBe(200);
    const promote = { personId: support.personId, role: "reviewer" };
    expect((await bed.call("PATCH", "admin/v1/staff", operator.headers, promote)).status).toBe(200);
    const me = await bed.call("GET", "v1/me", support.headers);
    expect(me.body).toMatchObject({ staffRole: "reviewer" });
    const gone = `admin/v1/staff?personId=${support.personId}`;
    expect((await bed.call("DELETE", gone, operator.headers)).status).toBe(200);
    expect((await bed.call("GET", "v1/me", support.headers)).body).toMatchObject({
      staffRole: null,
    });
  });

  test("keeps one operator, also when all demote themselves at once", async () => {
    const one = await openPerson(bed, { staff: "operator" });
    await bed.database.sql("delete from staff where person_id <> $1", [one.personId]);
    const two = await openPerson(bed, { staff: "operator" });
    const answers = await Promise.all(
      [one, two].map(({ headers, personId }) =>
        bed.call("DELETE", `admin/v1/staff?personId=${personId}`, headers),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test("invites the first owner of an account", async () => {
    const operator = await openPerson(bed, { staff: "operator" });
    const { id: accountId } = await bed.openAccount();
    const body = { accountId, email: bed.newAddress(), role: "owner" };
    const made = await bed.call("POST", "admin/v1/accounts/invitations", operator.headers, body);
    expect(made.status).toBe(200);
    expect((await bed.accept(tokenIn(await bed.mailTo(body.email)))).status).toBe(200);
    const rows = await bed.database.sql("select role from members where account_id = $1", [
      accountId,
    ]);
    expect(rows).toEqual([{ role: "owner" }]);
  });
});

test("with two operators a further one needs the approval of another, who is not new and not invited by the first", async () => {
  await using own = await openPeopleBed();
  const first = await openPerson(own, { staff: "operator" });
  const invite = (headers: Record<string, string>, email: string) =>
    own.call("POST", "admin/v1/staff/invitations", headers, { email, role: "operator" });
  const alone = await invite(first.headers, own.newAddress());
  expect(alone.body).toMatchObject({ awaitsApproval: false }); // there is nobody who could approve
  const second = await openPerson(own, { staff: "operator" });
  const support = await openPerson(own, { staff: "support" });
  const promoted = await own.call("PATCH", "admin/v1/staff", first.headers, {
    personId: support.personId,
    role: "operator",
  });
  expect(promoted.body).toMatchObject({ code: "second_person_needed" });
  const asked = await invite(first.headers, support.email);
  expect(asked.body).toMatchObject({ awaitsApproval: true });
  await own.sendAll();
  expect(own.inbox.received.some(({ to }) => to === support.email)).toBe(false);
  const approve = (headers: Record<string, string>) =>
    own.call("POST", "admin/v1/staff/invitations/approve", headers, {
      invitationId: asked.body["invitationId"],
    });
  expect((await approve(first.headers)).body).toMatchObject({ code: "second_person_needed" });
  expect((await approve(second.headers)).status).toBe(200);
  const token = tokenIn(await own.mailTo(support.email));
  expect((await own.accept(token, {})).body).toEqual({ status: "joined" });
  const me = await own.call("GET", "v1/me", support.headers);
  expect(me.body).toMatchObject({ staffRole: "operator" });
  // Whom the first has invited, and who is new, is nobody's second person.
  const next = await invite(first.headers, own.newAddress());
  const byNew = await own.call("POST", "admin/v1/staff/invitations/approve", support.headers, {
    invitationId: next.body["invitationId"],
  });
  expect(byNew.body).toMatchObject({ code: "second_person_needed" });
});

test("without a mail server an operator gets the link of an invitation to the staff, of a further operator only who approves it", async () => {
  await using own = await openPeopleBed();
  const mail = { ...own.ctx.config.mail, smtpUrl: null };
  await using api = await buildApi({ ...own.ctx, config: { ...own.ctx.config, mail } });
  const first = await openPerson(own, { staff: "operator" });
  const second = await openPerson(own, { staff: "operator" });
  const path = "/api/admin/v1/staff/invitations";
  const post = async ({ headers }: typeof first, url: string, payload: object) =>
    (await api.inject({ method: "POST", url, headers, payload })).json();
  const invite = { email: own.newAddress(), role: "support", asLink: true };
  expect((await own.call("POST", path.slice(5), first.headers, invite)).body).toMatchObject({
    code: "mail_is_set",
  });
  const made = await post(first, path, invite);
  expect(made).toMatchObject({ mail: "link", awaitsApproval: false });
  const tokenOf = (url: string) => new URL(url).hash.slice("#token=".length);
  expect((await own.accept(tokenOf(made.url))).status).toBe(200);

  const operator = { ...invite, email: own.newAddress(), role: "operator" };
  const asked = await post(first, path, operator);
  expect(asked).toMatchObject({ mail: "off", awaitsApproval: true });
  expect(asked).not.toHaveProperty("url");
  const { invitationId } = asked;
  const listed = await api.inject({ url: "/api/admin/v1/staff", headers: first.headers });
  expect(listed.json().invitations).toMatchObject([{ invitationId, mail: "off" }]);
  const approve = (by: typeof first) => post(by, `${path}/approve`, { invitationId, asLink: true });
  expect(await approve(first)).toMatchObject({ code: "second_person_needed" });
  const approved = await approve(second);
  expect((await own.accept(tokenOf(approved.url))).status).toBe(200);
});

describe("the second person", () => {
  type Person = Pick<TestPerson, "headers" | "personId">;
  let own: PeopleBed;
  beforeEach(async () => {
    own = await openPeopleBed();
    await adoptLimit(own.ctx, 1_000);
  });
  afterEach(() => own[Symbol.asyncDispose]());

  const refused = { code: "second_person_needed" };
  const inviteOperator = ({ headers }: Person, email = own.newAddress()) =>
    own.call("POST", "admin/v1/staff/invitations", headers, { email, role: "operator" });

  /** Invites an own second address, which becomes an operator, and lets time pass. */
  async function addOperator(by: Person): Promise<Person> {
    const email = own.newAddress();
    expect((await inviteOperator(by, email)).body).toMatchObject({ awaitsApproval: false });
    const { cookie } = await own.accept(tokenIn(await own.mailTo(email)));
    await own.database.sql("update staff set created_at = now() - interval '30 days'");
    const headers = { ...ours, cookie };
    const me = await own.call("GET", "v1/me", headers);
    expect(me.body).toMatchObject({ staffRole: "operator" });
    return { headers, personId: me.body["personId"] as PersonId };
  }

  /** A grant above the limit that one asks for and another one approves. */
  async function grant(asker: Person, approver: Person) {
    const { id: accountId } = await own.openAccount({ credits: 0 });
    const body = { accountId, kind: "grant", credits: 1_000_000, reason: "contract 7" };
    const asked = await own.call("POST", "admin/v1/grants", asker.headers, body);
    expect(asked.body).toMatchObject({ status: "pending" });
    const url = `admin/v1/grants/${asked.body["grantId"]}/approve`;
    return (await own.call("POST", url, approver.headers, {})).body;
  }

  const remove = (by: Person, { personId }: Person) =>
    own.call("DELETE", `admin/v1/staff?personId=${personId}`, by.headers);

  test("is not whom the asker has invited, nor who has invited the asker", async () => {
    const first = await openPerson(own, { staff: "operator" });
    const second = await addOperator(first);
    expect(await grant(second, first)).toMatchObject(refused);
    expect(await grant(first, second)).toMatchObject(refused);
    const other = await openPerson(own, { staff: "operator" });
    expect(await grant(second, other)).toEqual({});
    expect(await grant(other, second)).toEqual({});
  });

  test("is not a second address that the last operator invites after the removal of the other one", async () => {
    const first = await openPerson(own, { staff: "operator" });
    const other = await openPerson(own, { staff: "operator" });
    expect((await remove(first, other)).status).toBe(200);
    const second = await addOperator(first);
    expect(await grant(second, first)).toMatchObject(refused);
    expect(await grant(first, second)).toMatchObject(refused);
    const third = await inviteOperator(second);
    expect(third.body).toMatchObject({ awaitsApproval: true });
    const { invitationId } = third.body;
    const approve = await own.call("POST", "admin/v1/staff/invitations/approve", first.headers, {
      invitationId,
    });
    expect(approve.body).toMatchObject(refused);
  });

  test("is not of the same chain of invitations, also after those between have left", async () => {
    const { ctx } = own;
    const [first, second, third, sibling, other] = await Promise.all(
      Array.from({ length: 5 }, () => openPerson(own, {})),
    );
    assert(first && second && third && sibling && other);
    const join = ({ personId }: Person, invitedBy: PersonId | null) =>
      insertStaff(ctx.db, { personId, role: "operator", invitedBy });
    await join(first, null);
    await join(second, first.personId);
    await join(third, second.personId);
    await join(sibling, first.personId);
    await join(other, null);
    await deleteStaff(ctx.db, second.personId);
    await own.database.sql("update staff set created_at = now() - interval '30 days'");
    const decide = (approver: Person, asker: Person) => {
      const { personId } = approver;
      const actor: Actor = { kind: "person", personId, address: null, requestId: null };
      return requireSecondPerson(ctx.db, actor, { kind: "person", name: asker.personId }, null);
    };
    const chain = [first, third, sibling];
    for (const one of chain)
      for (const two of chain) await expect(decide(one, two)).rejects.toMatchObject(refused);
    await expect(decide(first, second)).rejects.toMatchObject(refused); // asked, and left
    for (const one of chain) {
      await decide(other, one);
      await decide(one, other);
    }
  });

  test("is missing as well for the second of two invitations that a single operator sends at once", async () => {
    const first = await openPerson(own, { staff: "operator" });
    const sent = await Promise.all([inviteOperator(first), inviteOperator(first)]);
    expect(sent.map(({ body }) => body["awaitsApproval"]).sort()).toEqual([false, true]);
  });

  test("is not who was promoted by the asker, however long of the staff", async () => {
    const first = await openPerson(own, { staff: "operator" });
    const support = await openPerson(own, { staff: "support" });
    const promoted = { personId: support.personId, role: "operator" };
    await own.call("PATCH", "admin/v1/staff", first.headers, promoted);
    expect(await grant(first, support)).toMatchObject(refused);
    await own.database.sql("update staff set created_at = now() - interval '30 days'");
    expect(await grant(first, support)).toMatchObject(refused);
  });
});

test("removing somebody from the staff needs a proof, and ends the invitations that the person sent", async () => {
  await using own = await openPeopleBed();
  const [first, second] = [
    await openPerson(own, { staff: "operator" }),
    await openPerson(own, { staff: "operator" }),
  ];
  const email = own.newAddress();
  const body = { email, role: "support" };
  await own.call("POST", "admin/v1/staff/invitations", second.headers, body);
  const token = tokenIn(await own.mailTo(email));
  const gone = `admin/v1/staff?personId=${second.personId}`;
  const age = (minutes: number) =>
    own.database.sql("update sessions set proved_at = now() - $1 * interval '1 minute'", [minutes]);
  await age(11);
  const stale = await own.call("DELETE", gone, first.headers);
  expect(stale.body).toMatchObject({ code: "proof_required" });
  await age(0);
  expect((await own.call("DELETE", gone, first.headers)).status).toBe(200);
  expect((await own.accept(token)).body).toMatchObject({ code: "link_invalid" });
});

test("operators get a mail when another one invites, removes or approves, or raises the limit", async () => {
  await using own = await openPeopleBed();
  const [first, second] = [
    await openPerson(own, { staff: "operator" }),
    await openPerson(own, { staff: "operator" }),
  ];
  const person = (personId: PersonId): Actor => ({
    kind: "person",
    personId,
    address: null,
    requestId: null,
  });
  const texts: string[] = [];
  const expectMail = async (to: string, text: string) => {
    texts.push(text);
    const count = texts.length;
    expect((await own.mailTo(to, count)).text).toContain(text);
  };
  await changeLimit(own.ctx, person(first.personId), 1_000);
  await expectMail(second.email, `Test (${first.email}) set the limit of grants to 1000.`);
  await changeLimit(own.ctx, person(first.personId), 2_000);
  await expectMail(second.email, "asked to raise the limit of grants to 2000");
  const { id: accountId } = await own.openAccount({ credits: 0 });
  const body = { accountId, kind: "grant", credits: 5_000, reason: "contract 7" };
  await own.call("POST", "admin/v1/grants", first.headers, body);
  await expectMail(second.email, `asked for 5000 credits for the account ${accountId}`);
  const email = own.newAddress();
  const invited = { email, role: "operator" };
  await own.call("POST", "admin/v1/staff/invitations", first.headers, invited);
  await expectMail(second.email, `invited ${email} as an operator`);
  await own.call("DELETE", `admin/v1/staff?personId=${second.personId}`, first.headers);
  await expectMail(second.email, `removed the operator ${second.email} from the staff`);
  expect(own.inbox.received.filter(({ to }) => to === first.email)).toEqual([]);
  await using again = await openPeopleBed();
  const [asker, approver] = [
    await openPerson(again, { staff: "operator" }),
    await openPerson(again, { staff: "operator" }),
  ];
  await changeLimit(again.ctx, person(asker.personId), 1_000);
  await changeLimit(again.ctx, person(asker.personId), null);
  await decideLimit(again.ctx, person(approver.personId), { isApproved: true });
  expect((await again.mailTo(asker.email)).text).toContain(
    "approved a higher limit of grants: none",
  );
});
