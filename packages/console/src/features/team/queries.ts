import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Zoetrope } from "@zoetrope/sdk";
import type {
  ListInvitationsAnswer,
  ListMembersAnswer,
  ReadAuditAnswer,
} from "@zoetrope/sdk/answers";
import type { Account } from "../../app/session.tsx";
import { get } from "../../lib/client.ts";

interface Through {
  account: Account;
  client: Zoetrope;
}

export function membersQuery({ account, client }: Through) {
  return queryOptions({
    queryKey: [account.accountId, "members"],
    queryFn: ({ signal }) => get<ListMembersAnswer>(client, "/api/v1/account/members", {}, signal),
  });
}

export function invitationsQuery({ account, client }: Through) {
  return queryOptions({
    queryKey: [account.accountId, "invitations"],
    queryFn: ({ signal }) =>
      get<ListInvitationsAnswer>(client, "/api/v1/account/invitations", {}, signal),
  });
}

export function auditQuery({ account, client }: Through, action: string) {
  return infiniteQueryOptions({
    queryKey: [account.accountId, "audit", action],
    queryFn: ({ pageParam, signal }) =>
      get<ReadAuditAnswer>(
        client,
        "/api/v1/account/audit",
        { cursor: pageParam, action: action === "" ? null : action, limit: 50 },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}
