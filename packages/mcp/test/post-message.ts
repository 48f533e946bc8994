const meta = "io.modelcontextprotocol";

export interface Message {
  id?: number;
  method: string;
  params: Record<string, unknown>;
  capabilities?: object;
}

/** A message of 2026-07-28 as it travels, for what the official client does not show or does not send. */
export async function postMessage(apiUrl: string, key: string, message: Message) {
  const { id = 1, method, params, capabilities = {} } = message;
  const name = params["name"] ?? params["taskId"];
  const _meta = {
    [`${meta}/protocolVersion`]: "2026-07-28",
    [`${meta}/clientInfo`]: { name: "raw", version: "1.0.0" },
    [`${meta}/clientCapabilities`]: capabilities,
  };
  const response = await fetch(`${apiUrl}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name === undefined ? {} : { "mcp-name": String(name) }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } }),
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: what is answered is what the tests are about
  const answer: any = text === "" ? null : JSON.parse(text);
  return { status: response.status, ...answer };
}
