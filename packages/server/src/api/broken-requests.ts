import { randomUUID } from "node:crypto";
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { ApiError, errorCatalogue } from "../errors.ts";
import { errorBody } from "./render-error.ts";

const codeOfFault: Record<string, ApiError["code"]> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};

/** Responds to requests that cannot be parsed as HTTP, which never reach the framework. */
export function answerBrokenRequest(fault: { code?: string }, socket: Socket): void {
  if (fault.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = render(codeOfFault[fault.code ?? ""] ?? "malformed_request");
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
}

/** Node rejects an unknown `Expect` header by itself, without a body. */
export function refuseExpectations(server: Server): void {
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = render("expectation_failed");
    response.writeHead(status, headers).end(body);
  });
}

function render(code: ApiError["code"]) {
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(new ApiError(code), requestId));
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "X-Request-Id": requestId,
    Connection: "close",
  };
  return { status: errorCatalogue[code].status, headers, body };
}
