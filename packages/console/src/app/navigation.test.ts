import { expect, test } from "vitest";
import { areasOf, mayOpen } from "./navigation.ts";
import type { Session } from "./session.tsx";

type Staff = Session["me"]["staffRole"];
type Role = NonNullable<Session["account"]>["role"];

const session = (role: Role | null, staffRole: Staff = null) =>
  ({
    me: { staffRole, accounts: [] },
    account: role === null ? null : { accountId: "1", name: "One", role, isTest: false },
  }) as unknown as Session;

test("whoever opens a page by its address is let in exactly where the menu leads", () => {
  const all = areasOf(session("owner", "operator")).flatMap(({ entries }) => entries);
  expect(all.length).toBeGreaterThan(20);
  for (const one of [
    session("viewer"),
    session("developer"),
    session("owner"),
    session(null, "reviewer"),
    session("viewer", "support"),
    session(null, "operator"),
  ]) {
    const listed = areasOf(one).flatMap(({ entries }) => entries.map(({ to }) => to));
    expect(all.map(({ to }) => to).filter((to) => mayOpen(one, to))).toEqual(listed);
  }
});

test("a page below another is for the same roles", () => {
  expect(mayOpen(session("owner"), "/operations/accounts/7")).toBe(false);
  expect(mayOpen(session(null, "support"), "/operations/accounts/7")).toBe(true);
  expect(mayOpen(session(null, "reviewer"), "/tasks/7")).toBe(false);
  expect(mayOpen(session("viewer"), "/tasks/7")).toBe(true);
  expect(mayOpen(session(null, "support"), "/operations/staff")).toBe(false);
});

test("the profile, the start page and pages that do not exist are for everybody", () => {
  for (const path of ["/", "/profile", "/nowhere"])
    expect(mayOpen(session(null, "reviewer"), path)).toBe(true);
});
