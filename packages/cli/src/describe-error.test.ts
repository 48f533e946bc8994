import { ConnectionError, FileError, TimeoutError } from "@zoetrope/sdk";
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
