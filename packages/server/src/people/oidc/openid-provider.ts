import * as client from "openid-client";
import { ApiError } from "../../errors.ts";
import type { Log } from "../../log.ts";

const requestSecondsMax = 5;
/** The time for which the provider's metadata is kept; its keys are fetched again when a new one appears. */
const keptMs = 60 * 60_000;
/** The pause after a failure of the provider, so that starting sign-ins cannot make us call it. */
const failedKeptMs = 2_000;

/** The claims of the provider about a person. */
export interface Claims {
  issuer: string;
  subject: string;
  /** Null: it has none, or does not vouch for it. */
  verifiedEmail: string | null;
  name: string | null;
  /**
   * The time at which the person proved their identity to the provider, in epoch seconds. Null: the
   * provider does not say.
   */
  authenticatedAt: number | null;
}

export interface ProviderCalls {
  /**
   * Returns the URL to which the browser is sent. With `isAgain` the provider asks people who are signed in
   * there, too.
   */
  urlFor(visit: {
    state: string;
    nonce: string;
    verifier: string;
    isAgain: boolean;
  }): Promise<string>;
  /** Exchanges the code that the browser came back with, and checks the whole response. */
  redeem(
    query: URLSearchParams,
    visit: { state: string; nonce: string; verifier: string },
  ): Promise<Claims>;
}

interface Registration {
  issuer: string;
  clientId: string;
  clientSecret: string;
  redirectUrl: string;
}

export function openProvider(registration: Registration, log: Log): ProviderCalls {
  const { issuer, clientId, clientSecret, redirectUrl } = registration;
  const discovered = keepFor(() => discoverProvider(issuer, clientId, clientSecret));

  function fail(code: "oidc_unavailable" | "oidc_refused", error: unknown): never {
    log.warn({ event: code.replace("_", "."), reason: describe(error) });
    throw new ApiError(code);
  }

  /**
   * Discovers the provider. If it is unreachable or set up wrongly, the person who signs in is not at
   * fault.
   */
  const discover = () => discovered().catch((error) => fail("oidc_unavailable", error));

  async function asking<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      return fail(isUnavailable(error) ? "oidc_unavailable" : "oidc_refused", error);
    }
  }

  return {
    async urlFor({ state, nonce, verifier, isAgain }) {
      const url = client.buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUrl,
        scope: "openid email profile",
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        ...(isAgain ? { prompt: "login", max_age: "0" } : {}),
      });
      return url.href;
    },
    async redeem(query, { state, nonce, verifier }) {
      const configuration = await discover();
      const answered = new URL(redirectUrl);
      answered.search = query.toString();
      return asking(async () => {
        const tokens = await client.authorizationCodeGrant(configuration, answered, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new Error("the provider sent no id token");
        const { iss, sub } = claims;
        // Some providers tell the address only here.
        const about =
          claims["email"] === undefined && configuration.serverMetadata().userinfo_endpoint
            ? await client.fetchUserInfo(configuration, tokens.access_token, sub)
            : claims;
        const verifiedEmail = about["email_verified"] === true ? textOf(about["email"]) : null;
        const authenticatedAt = claims.auth_time ?? null;
        const name = textOf(about["name"]);
        return { issuer: iss, subject: sub, verifiedEmail, name, authenticatedAt };
      });
    },
  };
}

async function discoverProvider(issuer: string, clientId: string, clientSecret: string) {
  const isPlain = issuer.startsWith("http:"); // production refuses it
  return client.discovery(new URL(issuer), clientId, clientSecret, proveBy(clientSecret), {
    timeout: requestSecondsMax,
    execute: [
      client.enableNonRepudiationChecks, // the signature of the id token is checked too
      ...(isPlain ? [client.allowInsecureRequests] : []),
    ],
  });
}

/**
 * Returns how the client secret is sent: in the body where the provider takes it there, otherwise in the
 * header, which every provider must take.
 */
function proveBy(clientSecret: string): client.ClientAuth {
  const [inBody, inHeader] = [
    client.ClientSecretPost(clientSecret),
    client.ClientSecretBasic(clientSecret),
  ];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? [];
    return (methods.includes("client_secret_post") ? inBody : inHeader)(server, ...rest);
  };
}

/** One call at a time, its result kept for a while. */
function keepFor<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let kept: { value: Promise<Value>; until: number } | undefined;
  return () => {
    if (kept !== undefined && kept.until > performance.now()) return kept.value;
    const made = { value: make(), until: Number.POSITIVE_INFINITY };
    kept = made;
    made.value.then(
      () => {
        made.until = performance.now() + keptMs;
      },
      () => {
        made.until = performance.now() + failedKeptMs;
      },
    );
    return made.value;
  };
}

const textLengthMax = 254;

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" && value.length <= textLengthMax ? value : null;
}

/** Whether the provider did not respond, as opposed to a response that is not valid. */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof TypeError && error.message === "fetch failed") return true;
  if (error instanceof client.ResponseBodyError) return error.status >= 500;
  if (!(error instanceof client.ClientError)) return false;
  if (error.code === "OAUTH_TIMEOUT" || error.code === "OAUTH_ABORT") return true;
  return error.cause instanceof Response && error.cause.status >= 500;
}

/** Describes an error without what the provider sent, which may contain tokens. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? `${code}: ${error.message}` : error.message;
}
