// Generated from docs/generated/openapi.json by `npm run generate`. Do not edit.
/** The filters of lists, by the operation. */
export const queryNames = {
  listTasks: {
    kind: true,
    model: true,
    status: true,
    keyId: true,
    mode: true,
    from: true,
    to: true,
    prompt: true,
    cursor: true,
    limit: true,
  },
  listAssets: {
    type: true,
    status: true,
    name: true,
    cursor: true,
    limit: true,
  },
  readLedger: {
    cursor: true,
    limit: true,
  },
  listRequests: {
    requestId: true,
    status: true,
    from: true,
    to: true,
    cursor: true,
    limit: true,
  },
  readUsage: {
    by: true,
    group: true,
    from: true,
    to: true,
    cursor: true,
    limit: true,
  },
  listKeys: {
    cursor: true,
    limit: true,
  },
  listDeliveries: {
    taskId: true,
    endpointId: true,
    outcome: true,
    cursor: true,
    limit: true,
  },
  readEvents: {
    after: true,
    order: true,
    before: true,
    limit: true,
  },
} as const;
