import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { Zoetrope } from "@zoetrope/sdk";
import type { ReadMeAnswer } from "@zoetrope/sdk/answers";
import { createContext, type ReactNode, useContext, useEffect, useMemo } from "react";
import { client, get, openClient } from "../lib/client.ts";
import { LiveProvider } from "../lib/live.tsx";

export type Me = ReadMeAnswer;

export interface Account {
  /** The id of the live or the test account, whichever is shown. */
  accountId: string;
  name: string;
  role: "owner" | "developer" | "viewer";
  isTest: boolean;
}

export interface Session {
  me: Me;
  account: Account | null;
}

const place = "zoetrope.account";

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => get<Me>(client, "/api/v1/me", {}, signal),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Every account of a person, and its test account beside it. */
export function accountsOf(me: Me): Account[] {
  return me.accounts.flatMap(({ accountId, testAccountId, name, role }) => [
    { accountId, name, role, isTest: false },
    ...(testAccountId === null ? [] : [{ accountId: testAccountId, name, role, isTest: true }]),
  ]);
}

/** The account that the URL names, else the one of the last visit, else the first. */
function pickAccount(me: Me, named: string | undefined): Account | null {
  const accounts = accountsOf(me);
  const find = (id: string | null | undefined) => accounts.find((one) => one.accountId === id);
  return find(named) ?? find(localStorage.getItem(place)) ?? accounts[0] ?? null;
}

interface Value extends Session {
  client: Zoetrope;
}

const Context = createContext<Value | null>(null);

export function SessionProvider({ children }: { children: ReactNode }) {
  const { data: me } = useSuspenseQuery(meQuery);
  const named = (useSearch({ strict: false }) as { account?: string }).account;
  const account = pickAccount(me, named);
  const accountId = account?.accountId ?? null;
  useEffect(() => {
    if (accountId !== null) localStorage.setItem(place, accountId);
  }, [accountId]);
  const through = useMemo(() => openClient(accountId), [accountId]);
  const value = useMemo(() => ({ me, account, client: through }), [me, account, through]);
  return (
    <Context value={value}>
      {accountId === null ? (
        children
      ) : (
        <LiveProvider client={through} accountId={accountId}>
          {children}
        </LiveProvider>
      )}
    </Context>
  );
}

export function useSession(): Session {
  const session = useContext(Context);
  if (session === null) throw new Error("There is no session above this component.");
  return session;
}

/** Returns the account and a client that calls for it, for pages of an account. */
export function useAccount(): { account: Account; client: Zoetrope } {
  const session = useContext(Context);
  if (session === null || session.account === null) throw new Error("There is no account here.");
  return { account: session.account, client: session.client };
}
