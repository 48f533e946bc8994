import { get, write } from "./calls.ts";
import type {
  ChangeEndpointAnswer,
  ChangeEndpointBody,
  CreateEndpointAnswer,
  CreateEndpointBody,
  DeleteEndpointAnswer,
  ListDeliveriesAnswer,
  ListDeliveriesQuery,
  ListEndpointsAnswer,
  ReadWebhookSecretAnswer,
  RotateWebhookSecretBody,
  SendTestEventAnswer,
  SendTestEventBody,
} from "./generated.ts";
import { requireKnown } from "./known-options.ts";
import { queryNames } from "./query-names.ts";
import type { CallOptions, Transport } from "./transport.ts";
import { signWebhook, unwrapWebhook } from "./webhooks.ts";

const path = "/api/v1/webhooks";
const endpoints = `${path}/endpoints`;

/** Callbacks and endpoints. Those that call need a key with the scope `webhooks`. */
export function webhookCalls(transport: Transport) {
  return {
    unwrap: unwrapWebhook,
    sign: signWebhook,
    /** The secret of callbacks; with an id, that of an endpoint. */
    secret: (endpointId?: string, options: CallOptions = {}): Promise<ReadWebhookSecretAnswer> =>
      get(transport, secretPath(endpointId), { endpointId }, options),
    /** A new secret; the one before signs for `overlapHours` more. */
    rotateSecret: (
      endpointId?: string,
      body: RotateWebhookSecretBody = {},
      options: CallOptions = {},
    ): Promise<ReadWebhookSecretAnswer> => {
      const rotate = `${secretPath(endpointId)}/rotate`;
      const call = { method: "POST", path: rotate, query: { endpointId }, body } as const;
      return write(transport, call, options);
    },
    endpoints: async (options: CallOptions = {}): Promise<ListEndpointsAnswer> =>
      get(transport, endpoints, {}, options),
    createEndpoint: (
      body: CreateEndpointBody,
      options: CallOptions = {},
    ): Promise<CreateEndpointAnswer> =>
      write(transport, { method: "POST", path: endpoints, body }, options),
    changeEndpoint: (
      endpointId: string,
      body: ChangeEndpointBody,
      options: CallOptions = {},
    ): Promise<ChangeEndpointAnswer> =>
      write(transport, { method: "PATCH", path: endpoints, query: { endpointId }, body }, options),
    deleteEndpoint: (
      endpointId: string,
      options: CallOptions = {},
    ): Promise<DeleteEndpointAnswer> =>
      write(transport, { method: "DELETE", path: endpoints, query: { endpointId } }, options),
    /** A page of the record of deliveries, newest first, with every attempt. */
    deliveries: async (
      query: ListDeliveriesQuery = {},
      options: CallOptions = {},
    ): Promise<ListDeliveriesAnswer> =>
      get(transport, `${path}/deliveries`, requireKnown(query, queryNames.listDeliveries), options),
    /** Sends an event that tests a receiver. */
    test: (body: SendTestEventBody, options: CallOptions = {}): Promise<SendTestEventAnswer> =>
      write(transport, { method: "POST", path: `${path}/test`, body }, options),
  };
}

function secretPath(endpointId: string | undefined): string {
  return endpointId === undefined ? `${path}/secret` : `${endpoints}/secret`;
}
