import { QueryClient } from "@tanstack/react-query";
import {
  ApiError,
  type Call,
  ConnectionError,
  RateLimitError,
  ServerError,
  Zoetrope,
} from "@zoetrope/sdk";

/** Calls as the signed-in person; with an account, for that account. */
export function openClient(accountId: string | null): Zoetrope {
  return new Zoetrope({ baseUrl: location.origin, session: { accountId } });
}

/** For what needs no account: signing in, the person, the deployment. */
export const client = openClient(null);

/** An endpoint that the client has no function of its own for. */
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

/** The client repeats by itself what may be repeated, and a page that is open asks again until the service is back. Nothing is fetched again on focus: the stream tells. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      ...{ retry: false, refetchOnWindowFocus: false, staleTime: 30_000, throwOnError: false },
      refetchInterval: ({ state }) => (isPassing(state.error) ? againMs : false),
    },
    mutations: { retry: false },
  },
});

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
