import { buildApi } from "../../src/api/build-api.ts";
import { type LinkId, newId } from "../../src/ids.ts";
import { newToken } from "../../src/people/token.ts";
import { type Lies, startOpenIdProvider } from "./openid-provider.ts";
import { openTestBed } from "./test-context.ts";

export const origin = "http://127.0.0.1:8080";
export const oidcPath = "/api/v1/session/oidc";

type Headers = Record<string, string>;
interface Answer {
  cookies: { name: string; value: string }[];
}

/** A browser that keeps the cookies of a response. */
export function cookiesOf({ cookies }: Answer): string {
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}

export function hasSession({ cookies }: Answer): boolean {
  return cookies.some(({ name }) => name === "__Host-session");
}

/** The api with an OpenID provider, and a browser that visits it. */
export async function openOidcBed() {
  const provider = await startOpenIdProvider({ sub: "nobody" });
  const { issuer, clientId, clientSecret } = provider;
  const bed = await openTestBed({
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_NAME: "Acme",
    OIDC_EMAIL_DOMAINS: "acme.example",
  });
  const api = await buildApi(bed.ctx);
  let number = 0;
  /** Requests from an address of their own: refused ones are counted. */
  const nextAddress = () => {
    number += 1;
    return `10.0.${Math.floor(number / 250)}.${number % 250}`;
  };

  async function begin(body: object = {}, headers: Headers = { origin }) {
    const remoteAddress = nextAddress();
    const request = {
      method: "POST",
      url: oidcPath,
      headers,
      payload: body,
      remoteAddress,
    } as const;
    const answer = await api.inject(request);
    return { answer, url: answer.json<{ url: string }>().url, cookie: cookiesOf(answer) };
  }

  function comeBack(back: URL, cookie: string) {
    const url = `${back.pathname}${back.search}`;
    return api.inject({ url, headers: { cookie }, remoteAddress: nextAddress() });
  }

  /** Visits the provider, from the button to the page after it. */
  async function visit(body: object = {}) {
    const { url, cookie } = await begin(body);
    return comeBack(await provider.visit(url), cookie);
  }

  async function invite(email: unknown): Promise<string> {
    const { token, hash } = newToken();
    await bed.database.sql(
      `insert into one_time_links (id, hash, kind, email, account_id, role, expires_at)
       values ($1, $2, 'member', $3, $4, 'developer', now() + interval '1 day')`,
      [newId<LinkId>(0), hash, email, (await bed.openAccount()).id],
    );
    return token;
  }

  /** The person of the session in a response's cookies. */
  async function personOf(answer: Answer) {
    const headers = { cookie: cookiesOf(answer), origin };
    const me = await api.inject({ url: "/api/v1/me", headers });
    return me.json<{ email: string; personId: string }>();
  }

  return {
    provider,
    bed,
    api,
    begin,
    comeBack,
    visit,
    invite,
    personOf,
    /** Switches to a new person at the provider, which tells the truth again. */
    renew(): void {
      number += 1;
      const email = `user${number}@acme.example`;
      const sub = `subject-${number}`;
      const user: Lies["user"] = { sub, email, email_verified: true, name: `User ${number}` };
      provider.lies = { user };
    },
    /** A person who signs in by company sign-in. */
    async openCompanyPerson() {
      return personOf(await visit({ invitation: await invite(provider.lies.user["email"]) }));
    },
    async [Symbol.asyncDispose]() {
      await api.close();
      await bed[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}
