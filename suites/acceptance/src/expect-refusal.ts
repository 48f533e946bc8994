import type { Answer } from "@zoetrope/testkit/api-client.ts";
import { expect } from "vitest";

export interface Refusal {
  status: number;
  code: string;
  /** The field at fault; every 400 has one. */
  param?: string;
}

/** An error body as the interface has it: a message, the code, the request's id, and the field at fault. */
export function expectRefusal(answer: Answer, { status, code, param }: Refusal): void {
  const { body, headers, text } = answer;
  expect({ status: answer.status, code: body["code"], param: body["param"] }, text).toEqual({
    status,
    code,
    param,
  });
  expect(body["message"], text).toEqual(expect.any(String));
  expect(body["message"], text).not.toBe("");
  expect(body["requestId"], text).toEqual(expect.any(String));
  expect(headers.get("x-request-id"), "the header X-Request-Id").toBe(body["requestId"]);
}

export function expectInvalid(answer: Answer, param: string): void {
  expectRefusal(answer, { status: 400, code: "invalid_parameters", param });
}
