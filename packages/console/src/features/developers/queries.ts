import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Zoetrope } from "@zoetrope/sdk";
import type {
  ListDeliveriesAnswer,
  ListEndpointsAnswer,
  ReadDeliveryAnswer,
} from "@zoetrope/sdk/answers";
import type { Account } from "../../app/session.tsx";
import { get } from "../../lib/client.ts";

interface Through {
  account: Account;
  client: Zoetrope;
}

export function endpointsQuery({ account, client }: Through) {
  return queryOptions({
    queryKey: [account.accountId, "endpoints"],
    queryFn: ({ signal }) =>
      get<ListEndpointsAnswer>(client, "/api/v1/webhooks/endpoints", {}, signal),
  });
}

export interface DeliveryFilters {
  outcome: string;
  endpoint: string;
  task: string;
}

const orNothing = (text: string) => (text === "" ? null : text);

export function deliveriesQuery({ account, client }: Through, filters: DeliveryFilters) {
  const { outcome, endpoint, task } = filters;
  const given = {
    outcome: orNothing(outcome),
    endpointId: orNothing(endpoint),
    taskId: orNothing(task),
  };
  return infiniteQueryOptions({
    queryKey: [account.accountId, "deliveries", given],
    queryFn: ({ pageParam, signal }) =>
      get<ListDeliveriesAnswer>(
        client,
        "/api/v1/webhooks/deliveries",
        { ...given, cursor: pageParam, limit: 50 },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

export function deliveryQuery({ account, client }: Through, deliveryId: string) {
  return queryOptions({
    queryKey: [account.accountId, "delivery", deliveryId],
    queryFn: ({ signal }) =>
      get<ReadDeliveryAnswer>(client, "/api/v1/webhooks/delivery", { deliveryId }, signal),
  });
}
