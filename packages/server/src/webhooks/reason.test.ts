import { expect, test } from "vitest";
import { deliveryReasonIn, reasonOf } from "./reason.ts";

const withCode = (code: string) => Object.assign(new Error("failed"), { code });
const timeout = Object.assign(new Error("late"), { name: "TimeoutError" });

test.each([
  "CERT_HAS_EXPIRED",
  "ECONNREFUSED",
  "EPIPE",
  "UND_ERR_CONNECT_TIMEOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "ETIMEOUT",
  "ESERVFAIL",
  "UND_ERR_HEADERS_OVERFLOW",
  "HPE_INVALID",
  "EPROTO",
  "CERT_NOT_YET_VALID",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "OTHER",
])("why an attempt failed with %s has a Chinese sentence", (code) => {
  expect(deliveryReasonIn("zh", reasonOf(withCode(code)))).toMatch(/[\u4e00-\u9fff]/);
});

test("a reason keeps its values, and one of another kind stays as it is", () => {
  expect(deliveryReasonIn("zh", "answered 401")).toBe("返回 401");
  expect(deliveryReasonIn("zh", reasonOf(timeout))).toMatch(/^\d+ 秒后超时$/);
  expect(deliveryReasonIn("zh", "something else")).toBe("something else");
  expect(deliveryReasonIn("en", "answered 401")).toBe("answered 401");
});
