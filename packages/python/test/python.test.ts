import { expect, test } from "vitest";
import { runPytest } from "./run-pytest.ts";

test("the Python client passes its tests with Debian's Python and httpx", async () => {
  const creates = 60;
  const { report, printed } = await runPytest({ creates, waitSeconds: 6 });
  expect(report.failed, printed).toBe(0);
  expect(report.passed, printed).toBeGreaterThan(20);
  expect(report.exactCreates, printed).toBe(creates);
}, 1_800_000); // many tests in one: only what hangs reaches it
