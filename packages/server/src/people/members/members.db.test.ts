import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPerson, signIn } from "../../../test/harness/open-person.ts";
import { openPeopleBed, ours, type PeopleBed, password } from "../../../test/harness/people-bed.ts";
import { tokenIn } from "../../../test/harness/smtp-inbox.ts";
import { createTestAccount } from "../../accounts/create-test-account.ts";
import { buildApi } from "../../api/build-api.ts";

let bed: PeopleBed;
beforeAll(async () => {
  bed = await openPeopleBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

describe("an invitation", () => {
  const mailsOf = async (headers: Record<string, string>) => {
    const { body } = await bed.call("GET", "v1/account/invitations", headers);
    return (body["invitations"] as { mail: string }[]).map(({ mail }) => mail);
  };

  test("says whether its mail was sent, waits or was refused, and is sent again", async () => {
    const owner = await openPerson(bed, { role: "owner" });
    const email = `refused-once-${bed.newAddress()}`;
    const send = () =>
      bed.call("POST", "v1/account/invitations", owner.headers, { email, role: "viewer" });
    expect((await send()).body).toMatchObject({ mail: "waiting" });
    expect(await mailsOf(owner.headers)).toEqual(["waiting"]);
    await bed.sendAll();
    expect(await mailsOf(owner.headers)).toEqual(["refused"]);
    await send();
    const token = tokenIn(await bed.mailTo(email));
    expect(await mailsOf(owner.headers)).toEqual(["sent"]);
    expect((await bed.accept(token)).status).toBe(200);
  });

  test("is a link in an operator's hand only where no mail server is set", async () => {
    const { accountId } = await openPerson(bed, { role: "owner" });
    const operator = await openPerson(bed, { staff: "operator" });
    const body = { accountId, email: bed.newAddress(), role: "viewer", asLink: true };
    const path = "/api/admin/v1/accounts/invitations";
    const refused = await bed.call("POST", path.slice(5), operator.headers, body);
    expect(refused).toMatchObject({ status: 409, body: { code: "mail_is_set" } });
    const mail = { ...bed.ctx.config.mail, smtpUrl: null };
    const api = await buildApi({ ...bed.ctx, config: { ...bed.ctx.config, mail } });
    const call = (given: object) =>
      api.inject({ method: "POST", url: path, headers: operator.headers, payload: given });
    const { asLink: _, ...byMail } = body;
    expect((await call(byMail)).json()).toMatchObject({ mail: "off" });
    const shown = async () => {
      const url = `/api/admin/v1/accounts/${accountId}`;
      return (await api.inject({ url, headers: operator.headers })).json()["invitations"];
    };
    expect(await shown()).toMatchObject([{ mail: "off" }]);
    const made = (await call(body)).json();
    expect(await shown()).toMatchObject([{ invitationId: made.invitationId, mail: "link" }]);
    expect((await bed.accept(new URL(made.url).hash.slice("#token=".length))).status).toBe(200);
    await api.close();
  });

  test("makes a person with the role, who is signed in and was recorded", async () => {
    const owner = await openPerson(bed, { role: "owner" });
    const email = bed.newAddress();
    const token = await bed.invite(owner.headers, email);
    const read = await bed.call("POST", "v1/invitation/read", ours, { token });
    expect(read.body).toEqual({
      email,
      role: "developer",
      accountName: "test",
      isKnown: false,
    });
    const accepted = await bed.accept(token);
    expect(accepted.body).toEqual({ status: "signed_in" });
    const { cookie } = accepted;
    const me = await bed.call("GET", "v1/me", { cookie });
    expect(me.body).toMatchObject({ email, accounts: [{ role: "developer" }] });
    expect((await signIn(bed.api, bed, { email, password })).answer.statusCode).toBe(200);
    expect((await bed.auditOf(owner.accountId)).map(({ action }) => action)).toEqual([
      "invitation.create",
      "member.join",
    ]);
  });

  test("gives a person who is known another account, without a password", async () => {
    const owner = await openPerson(bed, { role: "owner" });
    const known = await openPerson(bed, { role: "viewer", email: bed.newAddress() });
    const token = await bed.invite(owner.headers, known.email);
    const accepted = await bed.accept(token, {});
    expect(accepted.body).toEqual({ status: "joined" });
    expect(accepted.answer.headers["set-cookie"]).toBeUndefined();
    const me = await bed.call("GET", "v1/me", known.headers);
    expect(me.body["accounts"]).toHaveLength(2);
  });

  test("of an owner is mailed to whoever sent it, too; another role is not", async () => {
    const owner = await openPerson(bed, { role: "owner", email: bed.newAddress() });
    await bed.invite(owner.headers, bed.newAddress(), "developer");
    await bed.invite(owner.headers, bed.newAddress(), "owner");
    expect((await bed.mailTo(owner.email)).text).toContain("You invited an owner");
    expect(bed.inbox.received.filter(({ to }) => to === owner.email)).toHaveLength(1);
  });

  test("works once, however many use it at the same moment", async () => {
    const owner = await openPerson(bed, { role: "owner" });
    const token = await bed.invite(owner.headers, bed.newAddress());
    const answers = await Promise.all(Array.from({ length: 5 }, () => bed.accept(token)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    for (const status of statuses.slice(1)) expect([403, 409]).toContain(status);
    expect((await bed.accept(token)).body).toMatchObject({ code: "link_invalid" });
    const members = await bed.call("GET", "v1/account/members", owner.headers);
    expect(members.body["members"]).toHaveLength(2);
  });

  test.each([
    ["has expired", "update one_time_links set expires_at = now() where email = $1"],
    ["was revoked", "delete from one_time_links where email = $1"],
  ])("that %s is refused", async (_what, end) => {
    const owner = await openPerson(bed, { role: "owner" });
    const email = bed.newAddress();
    const token = await bed.invite(owner.headers, email);
    await bed.database.sql(end, [email]);
    for (const path of ["v1/invitation/read", "v1/invitation/accept"])
      expect((await bed.call("POST", path, ours, { token })).body).toMatchObject({
        code: "link_invalid",
      });
  });

  test("that is sent again replaces the earlier one", async () => {
    const owner = await openPerson(bed, { role: "owner" });
    const email = bed.newAddress();
    const first = await bed.invite(owner.headers, email);
    await bed.call("POST", "v1/account/invitations", owner.headers, { email, role: "viewer" });
    const second = tokenIn(await bed.mailTo(email, 2));
    expect((await bed.accept(first)).status).toBe(403);
    expect((await bed.accept(second)).status).toBe(200);
  });

  test("needs a password of 12 characters, and is not used up by a worse one", async () => {
    const owner = await openPerson(bed, { role: "owner" });
    const token = await bed.invite(owner.headers, bed.newAddress());
    for (const bad of ["short", "aaaaaaaaaaaaaaaa"])
      expect((await bed.accept(token, { name: "Ada", password: bad })).body).toMatchObject({
        code: "invalid_parameters",
        param: "password",
      });
    expect((await bed.accept(token)).status).toBe(200);
  });

  test("is not made for the accounts of others", async () => {
    const { accountId } = await openPerson(bed, { role: "owner" });
    const body = { email: bed.newAddress(), role: "owner" };
    const stranger = await openPerson(bed, { role: "owner" });
    const headers = { ...stranger.headers, "zoetrope-account": accountId };
    const refused = await bed.call("POST", "v1/account/invitations", headers, body);
    expect(refused.body).toMatchObject({ code: "not_a_member" });
  });

  test("stays secret: no table has the token, and none is stored before the mail is sent", async () => {
    const owner = await openPerson(bed, { role: "owner" });
    const email = bed.newAddress();
    await bed.call("POST", "v1/account/invitations", owner.headers, { email, role: "viewer" });
    const rows = () =>
      bed.database.sql("select hash from one_time_links where email = $1", [email]);
    expect(await rows()).toEqual([{ hash: null }]);
    const token = tokenIn(await bed.mailTo(email));
    expect(await rows()).toEqual([{ hash: expect.any(Buffer) }]);
    expect(await bed.database.sql("select from mails where recipient = $1", [email])).toEqual([]);
    expect(token).toHaveLength(43);
  });
});

describe("members", () => {
  test("change and leave by owners, with their next request", async () => {
    const owner = await openPerson(bed, { role: "owner" });
    const { accountId } = owner;
    const member = await openPerson(bed, { role: "viewer", accountId });
    const create = () =>
      bed.call("POST", "v1/jobs/createTask", member.headers, {
        model: "sd2",
        inputs: { prompt: "a fox" },
      });
    expect((await create()).status).toBe(403);
    const { personId } = member;
    const changed = { personId, role: "developer" };
    await bed.call("PATCH", "v1/account/members", owner.headers, changed);
    expect((await create()).status).toBe(200);
    await bed.call("DELETE", `v1/account/members?personId=${personId}`, owner.headers);
    expect((await create()).body).toMatchObject({ code: "account_required" });
    expect(await bed.auditOf(accountId)).toMatchObject([
      { action: "member.change", person_id: owner.personId, after: { role: "developer" } },
      { action: "member.remove", person_id: owner.personId, after: null },
    ]);
  });

  test("the last owner is neither removed nor demoted, nor leaves", async () => {
    const { headers, personId } = await openPerson(bed, { role: "owner" });
    const changes = [
      bed.call("PATCH", "v1/account/members", headers, { personId, role: "viewer" }),
      bed.call("DELETE", `v1/account/members?personId=${personId}`, headers),
      bed.call("POST", "v1/account/members/leave", headers),
    ];
    for (const change of await Promise.all(changes))
      expect(change.body).toMatchObject({ code: "last_owner" });
  });

  test("two owners who demote each other at once leave one", async () => {
    const one = await openPerson(bed, { role: "owner" });
    const { accountId } = one;
    const two = await openPerson(bed, { role: "owner", accountId });
    const demote = (by: typeof one, whom: typeof one) =>
      bed.call("PATCH", "v1/account/members", by.headers, {
        personId: whom.personId,
        role: "viewer",
      });
    await Promise.all([demote(one, two), demote(two, one)]);
    const owners = await bed.database.sql(
      "select from members where account_id = $1 and role = 'owner'",
      [accountId],
    );
    expect(owners).toHaveLength(1);
  });

  test("of a test account are those of its live account", async () => {
    const owner = await openPerson(bed, { role: "owner" });
    const { accountId: testId } = await createTestAccount(bed.ctx, owner.accountId);
    const headers = { ...owner.headers, "zoetrope-account": testId };
    const members = await bed.call("GET", "v1/account/members", headers);
    expect(members.body["members"]).toMatchObject([{ personId: owner.personId }]);
    expect((await bed.call("POST", "v1/account/members/leave", headers)).body).toMatchObject({
      code: "last_owner",
    });
  });
});
