import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type {
  ListFailingHostsAnswer,
  ListGrantsAnswer,
  ListLabelAgreementsAnswer,
  ListLedgerChecksAnswer,
  ListStaffAnswer,
  ListStuckRowsAnswer,
  ListVendorAccountsAnswer,
  ReadAccountAnswer,
  ReadSwitchesAnswer,
  ReadSystemAnswer,
  ReadTaskTimelineAnswer,
  SearchAccountsAnswer,
  SearchTasksAnswer,
} from "@zoetrope/sdk/admin";
import { client, get } from "../../lib/client.ts";
import { isId } from "../../lib/is-id.ts";

export const admin = "/api/admin/v1";

const rowsPerPage = 50;

/**
 * The query of a staff page. It reads when the page is opened, because problems may have changed
 * within the last minute.
 */
function read<Answer>(name: string, path: string) {
  return queryOptions({
    queryKey: ["admin", name],
    queryFn: ({ signal }) => get<Answer>(client, admin + path, {}, signal),
    staleTime: 0,
  });
}

interface Pages {
  nextCursor: string | null;
}

function readPages<Answer extends Pages>(
  name: string,
  path: string,
  query: Record<string, string | undefined>,
) {
  return infiniteQueryOptions({
    queryKey: ["admin", name, query],
    queryFn: ({ pageParam, signal }) =>
      get<Answer>(
        client,
        admin + path,
        { ...query, limit: rowsPerPage, cursor: pageParam ?? undefined },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: Answer) => nextCursor,
    staleTime: 0,
  });
}

export const systemQuery = read<ReadSystemAnswer>("system", "/system");
export const vendorsQuery = read<ListVendorAccountsAnswer>("vendors", "/vendor-accounts");
export const ledgerQuery = read<ListLedgerChecksAnswer>("ledger", "/ledger-checks");
export const stuckQuery = read<ListStuckRowsAnswer>("stuck", "/stuck-rows");
export const hostsQuery = read<ListFailingHostsAnswer>("hosts", "/deliveries/hosts");
export const switchesQuery = read<ReadSwitchesAnswer>("switches", "/switches");
export const staffQuery = read<ListStaffAnswer>("staff", "/staff");

export const accountQuery = (accountId: string) =>
  read<ReadAccountAnswer>(`account ${accountId}`, `/accounts/${encodeURIComponent(accountId)}`);

export const agreementsPath = (accountId: string) =>
  `/accounts/${encodeURIComponent(accountId)}/label-agreements`;

/** The query for the newest agreements of an account. */
export const agreementsQuery = (accountId: string) =>
  read<ListLabelAgreementsAnswer>(`agreements ${accountId}`, agreementsPath(accountId));

export const timelineQuery = (taskId: string) =>
  read<ReadTaskTimelineAnswer>(
    `timeline ${taskId}`,
    `/tasks/${encodeURIComponent(taskId)}/timeline`,
  );

/** The query for accounts with this id, with names that begin with the text, or for all. */
export function accountsQuery(text: string, isSuspended: boolean) {
  const isWhole = isId(text);
  return readPages<SearchAccountsAnswer>("accounts", "/accounts", {
    accountId: isWhole ? text : undefined,
    name: isWhole || text === "" ? undefined : text,
    suspended: isSuspended && text === "" ? "true" : undefined,
  });
}

export function grantsQuery(isPending: boolean, accountId: string) {
  return readPages<ListGrantsAnswer>("grants", "/grants", {
    pending: isPending ? "true" : undefined,
    accountId: accountId === "" ? undefined : accountId,
  });
}

export type TaskSearch = "taskId" | "accountId" | "vendorJobId";

export function tasksQuery(by: TaskSearch, text: string) {
  return readPages<SearchTasksAnswer>("tasks", "/tasks", { [by]: text });
}
