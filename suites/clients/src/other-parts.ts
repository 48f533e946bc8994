import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The functions of other parts, which are loaded when they are needed: each brings its own dependencies. */
interface FirstMinutes {
  readonly coldS: number;
  readonly videoS: number;
}
export interface PythonReport {
  readonly passed: number;
  readonly failed: number;
  readonly exactCreates: number;
}

const placeOf = (path: string) => new URL(`../../../${path}`, import.meta.url);
/** Only what hangs reaches it. */
const pythonMsMax = 1_800_000;

/**
 * Measures the first minutes from the tarballs in an empty folder to a running service, and from
 * there to a video.
 */
export async function runFirstMinutes(): Promise<FirstMinutes> {
  const { firstMinutes } = (await import(requirePart("tools/pack/first-minutes.ts").href)) as {
    firstMinutes(): Promise<FirstMinutes>;
  };
  return firstMinutes();
}

/** The tests of the Python client with 500 creates; their last line is the report. */
export async function runPythonTests(): Promise<PythonReport> {
  const program = fileURLToPath(requirePart("packages/python/test/main.ts"));
  const options = { timeout: pythonMsMax, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, "--full"],
    options,
  ).catch((error: { stdout?: string; stderr?: string }) => {
    process.stderr.write(error.stderr ?? String(error));
    return { stdout: error.stdout ?? "" };
  });
  const report = stdout.trim().split("\n").at(-1) ?? "";
  if (report === "") throw new Error("the Python tests did not run to their end");
  return JSON.parse(report) as PythonReport;
}

function requirePart(path: string): URL {
  const place = placeOf(path);
  if (!existsSync(place)) throw new Error(`${path} is not there`);
  return place;
}
