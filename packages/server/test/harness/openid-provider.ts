import assert from "node:assert";
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Claims = Record<string, unknown>;

/** The person who signs in at the provider, and the ways in which the provider lies. */
export interface Lies {
  /** The claims about the person who signs in. */
  user: Claims & { sub: string };
  /** Changes the id token before it is signed. */
  idToken?: (claims: Claims) => Claims;
  isKeyForeign?: boolean;
  /** E-mail and name are only told by the userinfo endpoint. */
  isShy?: boolean;
  /** Every response of the token endpoint. */
  tokenStatus?: number;
  /** Gives the code, and the state that it sends back. */
  state?: (state: string) => string;
}

export interface OpenIdProvider extends AsyncDisposable {
  issuer: string;
  clientId: string;
  clientSecret: string;
  lies: Lies;
  /** Signs in as `lies.user` at the URL that our service gave; where the browser goes next. */
  visit(url: string): Promise<URL>;
}

/** An OpenID provider over HTTP that checks codes, PKCE and the client's secret, and signs with RS256. */
export async function startOpenIdProvider(user: Lies["user"]): Promise<OpenIdProvider> {
  const [own, foreign] = [newKey(), newKey()];
  const codes = new Map<string, { challenge: string; nonce: string; redirectUri: string }>();
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const provider: OpenIdProvider = {
    issuer: `http://127.0.0.1:${port}`,
    clientId: "zoetrope",
    clientSecret: randomBytes(16).toString("hex"),
    lies: { user },
    async visit(url) {
      const answer = await fetch(url, { redirect: "manual" });
      assert.equal(answer.status, 302, await answer.text());
      return new URL(answer.headers.get("location") ?? "");
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", provider.issuer);
    const json = (value: unknown, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    switch (url.pathname) {
      case "/.well-known/openid-configuration":
        return void json(metadataOf(provider.issuer));
      case "/jwks": {
        const jwk = own.publicKey.export({ format: "jwk" });
        return void json({ keys: [{ ...jwk, kid: "own", use: "sig", alg: "RS256" }] });
      }
      case "/authorize":
        return authorize(url.searchParams, response);
      case "/token": {
        const body = new URLSearchParams(await textOf(request));
        const { status, answer } = redeem(body);
        return void json(answer, status);
      }
      case "/userinfo":
        return void json(provider.lies.user);
      default:
        return void json({ error: "not_found" }, 404);
    }
  }

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    assert.equal(query.get("client_id"), provider.clientId);
    assert.equal(query.get("response_type"), "code");
    assert.equal(query.get("code_challenge_method"), "S256");
    const [redirectUri, challenge, nonce] = [
      query.get("redirect_uri"),
      query.get("code_challenge"),
      query.get("nonce"),
    ];
    assert(redirectUri && challenge && nonce);
    const code = randomBytes(16).toString("hex");
    codes.set(code, { challenge, nonce, redirectUri });
    const back = new URL(redirectUri);
    const state = query.get("state") ?? "";
    back.searchParams.set("code", code);
    back.searchParams.set("state", provider.lies.state?.(state) ?? state);
    response.writeHead(302, { location: back.href }).end();
  }

  function redeem(body: URLSearchParams): { status: number; answer: unknown } {
    const { lies, issuer, clientId, clientSecret } = provider;
    if (lies.tokenStatus !== undefined) return { status: lies.tokenStatus, answer: {} };
    const given = codes.get(body.get("code") ?? "");
    codes.delete(body.get("code") ?? ""); // a code is good once
    const challenge = createHash("sha256")
      .update(body.get("code_verifier") ?? "")
      .digest("base64url");
    const isRight =
      body.get("client_id") === clientId &&
      body.get("client_secret") === clientSecret &&
      given?.challenge === challenge &&
      given.redirectUri === body.get("redirect_uri");
    if (!isRight) return { status: 400, answer: { error: "invalid_grant" } };
    const now = Math.floor(Date.now() / 1000);
    const { sub, ...about } = lies.user;
    const claims = {
      iss: issuer,
      aud: clientId,
      sub,
      iat: now,
      exp: now + 300,
      nonce: given.nonce,
      ...(lies.isShy ? {} : about),
    };
    const idToken = jwtOf(lies.idToken?.(claims) ?? claims, lies.isKeyForeign ? foreign : own);
    const answer = {
      access_token: randomBytes(16).toString("hex"),
      token_type: "Bearer",
      expires_in: 300,
      id_token: idToken,
    };
    return { status: 200, answer };
  }

  return provider;
}

function newKey() {
  return generateKeyPairSync("rsa", { modulusLength: 2048 });
}

function jwtOf(claims: Claims, { privateKey }: { privateKey: KeyObject }): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ alg: "RS256", typ: "JWT", kid: "own" })}.${part(claims)}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
}

function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    token_endpoint_auth_methods_supported: ["client_secret_post"],
    code_challenge_methods_supported: ["S256"],
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
