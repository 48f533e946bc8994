import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";
import { expect, test } from "vitest";
import { openPerson } from "../../../test/harness/open-person.ts";
import { openTestBed } from "../../../test/harness/test-context.ts";
import { buildApi } from "../../api/build-api.ts";

const origin = "http://127.0.0.1:8080";
const clientSecret = randomBytes(16).toString("hex");

/** A certified implementation, with its own sign-in and consent pages. */
async function startProvider() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "zoetrope",
        client_secret: clientSecret,
        grant_types: ["authorization_code"],
        redirect_uris: [`${origin}/api/v1/session/oidc/callback`],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        email: `${accountId}@acme.example`,
        email_verified: true,
        name: "Ada",
      }),
    }),
    cookies: { keys: [randomBytes(16).toString("hex")] },
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "own", use: "sig" }] },
  });
  server.on("request", provider.callback());
  return {
    issuer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A browser at the provider: signs in, consents, and stops where it is sent back to us. */
async function browse(start: string, login: string): Promise<URL> {
  const jar = new Map<string, string>();
  let next: { url: URL; body?: URLSearchParams } = { url: new URL(start) };
  for (let pages = 0; pages < 20; pages++) {
    const cookie = [...jar].map((pair) => pair.join("=")).join("; ");
    const answer: Response = await fetch(next.url, {
      redirect: "manual",
      headers: { cookie },
      method: next.body === undefined ? "GET" : "POST",
      body: next.body ?? null,
    });
    for (const set of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = set.split(";", 1).join("").split("=");
      jar.set(name, value);
    }
    const location = answer.headers.get("location");
    const page = await answer.text();
    if (location === null) {
      const prompt = page.includes('value="login"') ? "login" : "consent";
      next = { url: next.url, body: new URLSearchParams({ prompt, login, password: "any" }) };
    } else {
      next = { url: new URL(location, next.url) };
      if (next.url.origin === origin) return next.url;
    }
  }
  throw new Error("the provider did not send the browser back");
}

test("a person links and then uses a sign-in at a certified provider, which takes each code once", async () => {
  await using provider = await startProvider();
  await using bed = await openTestBed({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: "zoetrope",
    OIDC_CLIENT_SECRET: clientSecret,
  });
  const api = await buildApi(bed.ctx);
  const person = await openPerson(bed, { role: "owner" });

  const begin = async (path: string, headers: Record<string, string>) => {
    const answer = await api.inject({
      method: "POST",
      url: `/api/v1/${path}`,
      headers,
      payload: { returnTo: "/console" },
    });
    const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    return { url: answer.json<{ url: string }>().url, cookie };
  };
  const comeBack = ({ pathname, search }: URL, cookie: string) =>
    api.inject({ url: `${pathname}${search}`, headers: { cookie } });

  const linking = await begin("me/identities", person.headers);
  const linked = await comeBack(await browse(linking.url, "ada"), linking.cookie);
  expect(linked.statusCode).toBe(303);
  const identities = await bed.database.sql(
    "select issuer, subject, email from oidc_identities where person_id = $1",
    [person.personId],
  );
  expect(identities).toEqual([
    { issuer: provider.issuer, subject: "ada", email: "ada@acme.example" },
  ]);

  const signing = await begin("session/oidc", { origin });
  const back = await browse(signing.url, "ada");
  const signedIn = await comeBack(back, signing.cookie);
  expect(signedIn.headers.location).toBe(`${origin}/console`);
  const cookie = signedIn.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const me = await api.inject({ url: "/api/v1/me", headers: { origin, cookie } });
  expect(me.json()).toMatchObject({ personId: person.personId });

  const other = await begin("session/oidc", { origin });
  const replayed = await browse(other.url, "ada");
  replayed.searchParams.set("code", back.searchParams.get("code") ?? "");
  expect((await comeBack(replayed, other.cookie)).json()).toMatchObject({ code: "oidc_refused" });

  const stranger = await begin("session/oidc", { origin });
  const refused = await comeBack(await browse(stranger.url, "mallory"), stranger.cookie);
  expect(refused.json()).toMatchObject({ code: "oidc_not_invited" });
  await api.close();
});
