import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { childEnv } from "@zoetrope/dev/services/command-line.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPerson } from "../../test/harness/open-person.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { buildApi } from "../api/build-api.ts";

const run = promisify(execFile);
const operator = fileURLToPath(new URL("main.ts", import.meta.url));
let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

const operate = (...args: string[]) =>
  run(process.execPath, [operator, "person", ...args], {
    env: childEnv({
      DATABASE_URL: bed.database.serviceUrl,
      PUBLIC_URL: bed.ctx.config.links.publicUrl,
    }),
  });

const linkPattern = / link http:\/\/127\.0\.0\.1:8080\/console\/invitation#token=([\w-]{43})$/m;

test("the first operator and the first owner open links that commands print, once", async () => {
  const api = await buildApi(bed.ctx);
  const accept = (token: string) =>
    api.inject({
      method: "POST",
      url: "/api/v1/invitation/accept",
      headers: { origin: "http://127.0.0.1:8080" },
      payload: { token, name: "Ada", password: "correct horse battery staple" },
    });
  const email = "ada@example.com";
  const made = await operate("create-operator", "--email", email);
  const token = linkPattern.exec(made.stdout)?.[1] ?? "";
  expect((await accept(token)).json()).toEqual({ status: "signed_in" });
  expect((await accept(token)).statusCode).toBe(403);
  const again = operate("create-operator", "--email", email);
  await expect(again).rejects.toMatchObject({ code: 2 });

  const { id } = await bed.openAccount();
  const options = ["--account", id, "--email", email, "--role", "owner"];
  const invited = linkPattern.exec((await operate("invite", ...options)).stdout)?.[1] ?? "";
  expect((await accept(invited)).json()).toEqual({ status: "joined" });
  const people = await bed.database.sql(
    `select s.role as staff, m.role from people p join staff s on s.person_id = p.id
     join members m on m.person_id = p.id where p.email = $1 and m.account_id = $2`,
    [email, id],
  );
  expect(people).toEqual([{ staff: "operator", role: "owner" }]);
  const recorded = await bed.database.sql(
    "select action from audit_entries where actor_kind = 'command' order by id",
  );
  expect(recorded).toEqual([{ action: "staff.invite" }, { action: "invitation.create" }]);
  await api.close();
});

test("one link makes the first operator an owner of an account too", async () => {
  const api = await buildApi(bed.ctx);
  const { id } = await bed.openAccount();
  const email = "grace@example.com";
  const made = await operate("create-operator", "--email", email, "--account", id);
  const answer = await api.inject({
    method: "POST",
    url: "/api/v1/invitation/accept",
    headers: { origin: "http://127.0.0.1:8080" },
    payload: {
      token: linkPattern.exec(made.stdout)?.[1] ?? "",
      ...{ name: "Grace", password: "correct horse battery staple" },
    },
  });
  const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const me = await api.inject({ url: "/api/v1/me", headers: { cookie } });
  expect(me.json()).toMatchObject({
    staffRole: "operator",
    accounts: [{ accountId: id, role: "owner" }],
  });
  const invitations = await api.inject({ url: "/api/v1/account/invitations", headers: { cookie } });
  expect(invitations.json()).toEqual({ invitations: [] });
  await api.close();
});

test("a command removes a lost authenticator app, with its recovery codes, and says when there is none", async () => {
  const { personId, email } = await openPerson(bed, { role: "owner" });
  await bed.database.sql(
    "insert into totp_factors (person_id, secret, confirmed_at) values ($1, 'x', now())",
    [personId],
  );
  await bed.database.sql("insert into recovery_codes (person_id, hash) values ($1, 'x')", [
    personId,
  ]);
  const remove = () => operate("remove-authenticator", "--email", email);
  expect((await remove()).stdout).toContain(`removed ${email}`);
  for (const table of ["totp_factors", "recovery_codes"])
    expect(await bed.database.sql(`select 1 from ${table}`), table).toEqual([]);
  await expect(remove()).rejects.toMatchObject({
    ...{ code: 2, stderr: expect.stringContaining("Nobody with the address") },
  });
});

test.each([
  [["create-operator", "--email", "nonsense"], "e-mail"],
  [["create-operator", "--email", "a@example.com", "--account", crypto.randomUUID()], "account"],
  [["invite", "--email", "a@example.com", "--role", "king", "--account", "0"], "--account"],
])("%j is refused", async (args, message) => {
  await expect(operate(...args)).rejects.toMatchObject({
    ...{ code: 2, stderr: expect.stringContaining(message) },
  });
});
