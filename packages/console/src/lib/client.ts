import { QueryClient } from "@tanstack/react-query";
import {
  ApiError,
  type Call,
  ConnectionError,
  RateLimitError,
  ServerError,
  Zoetrope,
} from "@zoetrope/sdk";
import i18next from "i18next";
import { currentLanguage } from "../i18n/language.ts";
import { askProof, type ProofReason } from "./ask-proof.ts";

/** Calls as the signed-in person, in the language of the page; with an account, for that account. */
export function openClient(accountId: string | null): Zoetrope {
  return new PersonClient({
    baseUrl: location.origin,
    session: { accountId },
    fetch: (input, init = {}) => {
      const headers = new Headers(init.headers);
      headers.set("accept-language", currentLanguage());
      return fetch(input, { ...init, headers });
    },
  });
}

/** A client that asks for a proof of identity where the service requires one, and repeats the request. */
class PersonClient extends Zoetrope {
  override async request<Answer>(call: Call): Promise<Answer> {
    try {
      return await super.request<Answer>(call);
    } catch (error) {
      const reason = proofReasonOf(error);
      if (reason === null || !(await askProof(reason))) throw error;
      return super.request<Answer>(call);
    }
  }
}

function proofReasonOf(error: unknown): ProofReason | null {
  if (!(error instanceof ApiError)) return null;
  const { code } = error;
  return code === "proof_required" || code === "second_factor_required" ? code : null;
}

/** The client for requests that need no account: signing in, the person, the deployment. */
export const client = openClient(null);

/** Reads an endpoint that the client has no function for. */
export function get<Answer>(
  through: Zoetrope,
  path: string,
  query: NonNullable<Call["query"]> = {},
  signal?: AbortSignal,
): Promise<Answer> {
  return through.request<Answer>({ method: "GET", path, query, signal });
}

export function post<Answer>(through: Zoetrope, path: string, body: unknown = {}): Promise<Answer> {
  return through.request<Answer>({ method: "POST", path, body });
}

export const againMs = 5_000;

/** Whether the same may succeed later. */
export function isPassing(error: unknown): boolean {
  return [ConnectionError, ServerError, RateLimitError].some((kind) => error instanceof kind);
}

/**
 * The query client. The client itself retries what may be repeated, and an open page retries until
 * the service is back. Nothing is fetched again on focus, because the stream reports changes.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      refetchOnWindowFocus: false,
      staleTime: 30_000,
      throwOnError: false,
      networkMode: "always", // without a network a page says so, rather than wait without a word
      refetchInterval: ({ state }) => (isPassing(state.error) ? againMs : false),
    },
    mutations: { retry: false },
  },
});

// Sentences of the service are read again in the other language.
i18next.on("languageChanged", () => void queryClient.invalidateQueries());

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
