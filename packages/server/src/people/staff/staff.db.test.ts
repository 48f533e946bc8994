import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPerson } from "../../../test/harness/open-person.ts";
import { openPeopleBed, type PeopleBed } from "../../../test/harness/people-bed.ts";
import { tokenIn } from "../../../test/harness/smtp-inbox.ts";
import type { Actor } from "../../actor.ts";
import { inviteStaffByHand } from "./change-staff.ts";

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

  test("is changed by operators alone", async () => {
    const operator = await openPerson(bed, { staff: "operator" });
    const support = await openPerson(bed, { staff: "support" });
    const body = { email: bed.newAddress(), role: "reviewer" };
    const path = "admin/v1/staff/invitations";
    expect((await bed.call("POST", path, support.headers, body)).body).toMatchObject({
      code: "role_missing",
    });
    const owner = await openPerson(bed, { role: "owner" });
    expect((await bed.call("GET", "admin/v1/staff", owner.headers)).status).toBe(403);
    const { key } = await bed.openAccount();
    const byKey = await bed.call("GET", "admin/v1/staff", { authorization: `Bearer ${key}` });
    expect(byKey.body).toMatchObject({ code: "person_required" });
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
