import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { childEnv } from "@zoetrope/dev/services/command-line.ts";
import { startTestService } from "./start-test-service.ts";

export interface PytestOptions {
  /** Debian's unless told otherwise: it has the oldest versions that the package supports. */
  readonly python?: string | undefined;
  /** Creates against a server that fails. */
  readonly creates: number;
  /** How long a wait is watched for its requests. */
  readonly waitSeconds: number;
  /** More arguments of pytest. */
  readonly args?: readonly string[];
}

export interface PytestReport {
  readonly passed: number;
  readonly failed: number;
  /** Tasks that the creates made; exact if it is their number. */
  readonly exactCreates: number;
  readonly python: string;
  readonly httpx: string;
}

const packageDir = dirname(import.meta.dirname);

/** The tests of the Python client against a real stack; what pytest prints comes with it. */
export async function runPytest(
  options: PytestOptions,
): Promise<{ report: PytestReport; printed: string }> {
  await using service = await startTestService();
  const { python = "/usr/bin/python3", creates, waitSeconds, args = [] } = options;
  const reportPath = join(service.dir, "report.json");
  const child = spawn(python, ["-B", "-m", "pytest", ...args], {
    cwd: packageDir,
    stdio: ["ignore", "pipe", "pipe"],
    env: childEnv({
      ZOETROPE_TEST_URL: service.url,
      ZOETROPE_TEST_CONTROL: service.controlUrl,
      ZOETROPE_TEST_REPORT: reportPath,
      ZOETROPE_TEST_CREATES: String(creates),
      ZOETROPE_TEST_WAIT_SECONDS: String(waitSeconds),
    }),
  });
  const ended = once(child, "close");
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  const printed = out + err;
  const written = await readFile(reportPath, "utf8").catch(() => {
    throw new Error(`pytest did not run to its end:\n${printed}`);
  });
  return { report: JSON.parse(written) as PytestReport, printed };
}
