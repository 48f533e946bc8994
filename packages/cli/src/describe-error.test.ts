import { ApiError, ConnectionError, FileError, TimeoutError } from "@zoetrope/sdk";
import { expect, test } from "vitest";
import { describeError } from "./describe-error.ts";

test("errors of the SDK keep their code, and the ids that are needed to go on", () => {
  const refused = new FileError("It was refused.", { code: "file_refused" });
  expect(describeError(refused)).toMatchObject({ code: "file_refused", exitCode: 1 });
  const cut = new ConnectionError("Cut off.", { code: "upload_interrupted", requestId: "r" });
  expect(describeError(cut)).toMatchObject({ code: "upload_interrupted", requestId: "r" });
  const late = new TimeoutError("Late.", { taskId: "t" });
  expect(describeError(late)).toMatchObject({ code: "timeout", taskId: "t", exitCode: 6 });
});

test("what to do next is said of the command that was typed, and of the address where there is no such endpoint", () => {
  const refusal = {
    status: 400,
    code: "invalid_parameters",
    message: "No.",
    requestId: null,
    param: null,
    retryAfterMs: null,
    idempotencyKey: null,
  };
  const nextOf = (command: string, changed = {}) =>
    describeError(new ApiError({ ...refusal, ...changed }), command).next;
  expect(nextOf("generate")).toContain("'zoetrope generate --model MODEL --help'");
  for (const command of ["upscale", "assets upload", "tasks list"])
    expect(nextOf(command)).toContain(`'zoetrope ${command} --help'`);
  expect(nextOf("models", { status: 404, code: "not_found" })).toContain("before /api/v1");
  expect(nextOf("models", { status: 401, code: "unauthorized" })).toContain("'zoetrope login'");
});
