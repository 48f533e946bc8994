import { type Language, recall, type Text } from "../errors.ts";
import { FetchRefused } from "../media/fetch/safe-fetch.ts";
import { urlFaultTexts } from "../media/fetch/url-fault-texts.ts";
import { attemptMsUsual } from "./schedule.ts";

/** The reasons why a connection failed, by the error codes of Node, OpenSSL and the HTTP client. */
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

/** The reasons of attempts in Chinese. They are stored in English. */
const texts: readonly Text[] = [
  { en: "TLS certificate expired", zh: "TLS 证书已过期" },
  { en: "TLS certificate not valid yet", zh: "TLS 证书尚未生效" },
  { en: "TLS certificate is for another name", zh: "TLS 证书与主机名不符" },
  { en: "TLS certificate not trusted", zh: "TLS 证书不受信任" },
  { en: "connection refused", zh: "连接被拒绝" },
  { en: "connection closed before the response was complete", zh: "响应完成前连接已关闭" },
  { en: "no connection within 5 s", zh: "5 秒内未能建立连接" },
  { en: "host not reachable", zh: "无法到达主机" },
  { en: "host name not found", zh: "找不到主机名" },
  { en: "host name lookup timed out", zh: "主机名解析超时" },
  { en: "host name lookup failed", zh: "主机名解析失败" },
  { en: "the response headers are too large", zh: "响应头过大" },
  { en: "timed out after {0} s", zh: "{0} 秒后超时" },
  { en: "the response is not HTTP", zh: "响应不是 HTTP" },
  { en: "TLS handshake failed", zh: "TLS 握手失败" },
  { en: "connection failed: {0}", zh: "连接失败：{0}" },
  { en: "failed", zh: "失败" },
  { en: "redirect refused", zh: "不接受重定向" },
  { en: "answered {0}", zh: "返回 {0}" },
  ...urlFaultTexts,
];

/** Returns the reason why an attempt failed in a language; a reason of another kind stays as it is. */
export function deliveryReasonIn(language: Language, stored: string): string {
  return language === "en" ? stored : recall(texts, language, stored);
}
