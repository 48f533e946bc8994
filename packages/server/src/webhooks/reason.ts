import { FetchRefused } from "../media/fetch/safe-fetch.ts";
import { attemptMsUsual } from "./schedule.ts";

/** Why a connection failed, by the error codes of Node, OpenSSL and the HTTP client. */
const reasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "TLS certificate expired",
  CERT_NOT_YET_VALID: "TLS certificate not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "TLS certificate is for another name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "TLS certificate not trusted",
  SELF_SIGNED_CERT_IN_CHAIN: "TLS certificate not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "TLS certificate not trusted",
  UNABLE_TO_GET_ISSUER_CERT: "TLS certificate not trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "TLS certificate not trusted",
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection closed before the response was complete",
  EPIPE: "connection closed before the response was complete",
  UND_ERR_SOCKET: "connection closed before the response was complete",
  UND_ERR_CONNECT_TIMEOUT: "no connection within 5 s",
  EHOSTUNREACH: "host not reachable",
  ENETUNREACH: "host not reachable",
  ENOTFOUND: "host name not found",
  ENODATA: "host name not found",
  ETIMEOUT: "host name lookup timed out",
  ESERVFAIL: "host name lookup failed",
  UND_ERR_HEADERS_OVERFLOW: "the response headers are too large",
};

/** A public reason, without anything of the URL. */
export function reasonOf(error: unknown): string {
  if (error instanceof FetchRefused) return error.message;
  if (!(error instanceof Error)) return "failed";
  if (error.name === "TimeoutError") return `timed out after ${attemptMsUsual / 1000} s`;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (code.startsWith("HPE_") || error.name === "HTTPParserError")
    return "the response is not HTTP";
  if (code.startsWith("ERR_SSL") || code === "EPROTO") return "TLS handshake failed";
  return reasons[code] ?? `connection failed: ${code || error.name}`;
}
