import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { childEnv } from "@zoetrope/dev/services/command-line.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
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

test("the first operator opens a link that a command prints, once", async () => {
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
  const people = await bed.database.sql(
    "select s.role from people p join staff s on s.person_id = p.id where p.email = $1",
    [email],
  );
  expect(people).toEqual([{ role: "operator" }]);
  const recorded = await bed.database.sql(
    "select action from audit_entries where actor_kind = 'command' order by id",
  );
  expect(recorded).toEqual([{ action: "staff.invite" }]);
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
      name: "Grace",
      password: "correct horse battery staple",
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

test.each([
  [["create-operator", "--email", "nonsense"], "e-mail"],
  [["enrol", "--email", "nobody@example.com"], "Nobody has the address"],
  [["create-operator", "--email", "a@example.com", "--account", crypto.randomUUID()], "account"],
  [["enrol", "--email", "a@example.com", "--account", "0"], "Unknown option '--account'"],
])("%j is refused", async (args, message) => {
  await expect(operate(...args)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message),
  });
});
