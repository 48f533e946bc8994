import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openPerson, signIn } from "../../test/harness/open-person.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { buildApi } from "../api/build-api.ts";
import { createGuessLimit } from "./limit-guesses.ts";
import type { Passwords } from "./passwords.ts";

const password = "correct horse battery staple";
let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
beforeAll(async () => {
  bed = await openTestBed({ TRUST_PROXY: "1" });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});
/** A new process for each test: its counts are its own. */
beforeEach(async () => {
  api = await buildApi({ ...bed.ctx, guesses: createGuessLimit() });
  return () => api.close();
});

const from = (address: string) => ({ "x-forwarded-for": address });
const guess = async (email: string, address: string, more: Record<string, string> = {}) => {
  const body = { email, password: "Password123!" };
  const { answer } = await signIn(api, bed, body, { ...from(address), ...more });
  return { status: answer.statusCode, code: answer.json<{ code: string }>().code };
};

describe("spraying one password over 1,000 people", () => {
  test("from one network ends after 30 guesses, and signs nobody else out or in", async () => {
    const other = await openPerson(bed, { role: "owner", password });
    let hashed = 0;
    const counted: Passwords = {
      ...bed.ctx.passwords,
      matches: async (...given) => {
        hashed += 1;
        return bed.ctx.passwords.matches(...given);
      },
    };
    await api.close();
    api = await buildApi({ ...bed.ctx, passwords: counted, guesses: createGuessLimit() });
    // One IPv6 network is one guesser, whichever of its addresses it uses.
    const spray = (n: number) => guess(`person${n}@example.com`, `2001:db8::${n.toString(16)}`);
    for (let n = 0; n < 30; n++) expect((await spray(n)).code).toBe("sign_in_failed");
    // Refusals are delayed, so all at once.
    const rest = await Promise.all(Array.from({ length: 970 }, (_, n) => spray(30 + n)));
    const refusals = ["too_many_guesses", "rate_limited"]; // the second: more requests than an address may send at all
    expect(refusals).toEqual(expect.arrayContaining([...new Set(rest.map(({ code }) => code))]));
    expect(hashed).toBe(30); // what is refused costs no hash
    const elsewhere = { email: other.email, password };
    const { answer } = await signIn(api, bed, elsewhere, from("192.0.2.9"));
    expect(answer.statusCode).toBe(200);
  });
});

describe("guessing one person's password", () => {
  test("from many networks ends after 10 guesses, known or unknown", async () => {
    const { email } = await openPerson(bed, { role: "owner", password });
    for (const target of [email, "nobody@example.com"]) {
      const codes: string[] = [];
      for (let n = 0; n < 15; n++) codes.push((await guess(target, `198.51.100.${n}`)).code);
      expect(codes).toEqual([
        ...Array.from({ length: 10 }, () => "sign_in_failed"),
        ...Array.from({ length: 5 }, () => "too_many_guesses"),
      ]);
    }
  });

  test("does not lock the person out of a browser in which it signed in before", async () => {
    const { email } = await openPerson(bed, { role: "owner", password });
    const { headers } = await signIn(api, bed, { email, password }, from("192.0.2.1"));
    const device = (headers.cookie ?? "").replace(/__Host-session=[^;]+; /, "");
    expect(device).toMatch(/^__Host-device=/);
    for (let n = 0; n < 12; n++) await guess(email, `198.51.100.${n}`);
    const stranger = await signIn(api, bed, { email, password }, from("203.0.113.5"));
    expect(stranger.answer.statusCode).toBe(429);
    const known = { ...from("203.0.113.5"), cookie: device };
    expect((await signIn(api, bed, { email, password }, known)).answer.statusCode).toBe(200);
  });

  test("with somebody else's device, or a forged one, is counted like a stranger's", async () => {
    const { email } = await openPerson(bed, { role: "owner", password });
    const mallory = await openPerson(bed, { role: "owner", password });
    const { headers } = await signIn(api, bed, { email: mallory.email, password });
    const { cookie = "" } = headers;
    const devices = [cookie, "__Host-device=abc.def", "__Host-device=."];
    const codes: string[] = [];
    for (let n = 0; n < 12; n++)
      codes.push((await guess(email, `198.51.100.${n}`, { cookie: devices[n % 3] ?? "" })).code);
    expect(codes.filter((code) => code === "sign_in_failed")).toHaveLength(10);
  });

  test("in a known browser has a budget, too", async () => {
    const { email } = await openPerson(bed, { role: "owner", password });
    const { headers } = await signIn(api, bed, { email, password });
    const { cookie = "" } = headers;
    const codes: string[] = [];
    for (let n = 0; n < 12; n++) codes.push((await guess(email, "192.0.2.1", { cookie })).code);
    expect(codes.filter((code) => code === "sign_in_failed")).toHaveLength(10);
  });
});

test("somebody unknown, or without a password, costs the same hash as a wrong password", async () => {
  const { email } = await openPerson(bed, { role: "owner", password });
  const { email: without } = await openPerson(bed, { role: "owner" });
  const times: Record<string, number[]> = {};
  for (let n = 0; n < 9; n++)
    for (const target of [email, without, "nobody@example.com"]) {
      const startedAt = performance.now();
      expect((await guess(target, `192.0.2.${n}`)).status).toBe(401);
      times[target] = [...(times[target] ?? []), performance.now() - startedAt];
    }
  // A hash costs tens of milliseconds, a query one: without the hash the fastest would differ much more.
  const fastest = Object.values(times).map((each) => Math.min(...each));
  expect(Math.max(...fastest) / Math.min(...fastest)).toBeLessThan(5);
});

test("hashing takes half of the processors at most, and networks take turns", async () => {
  const { passwords } = bed.ctx;
  const order: string[] = [];
  const hash = (network: string) =>
    passwords.hash(password, network).then(() => order.push(network));
  await Promise.all([hash("a"), hash("a"), hash("a"), hash("a"), hash("b")]);
  expect(order.indexOf("b")).toBeLessThan(3);
});
