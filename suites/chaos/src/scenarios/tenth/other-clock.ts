import { access, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The clock of a machine, for the processes that are started with `env`. Needs Debian's `libfaketime`. */
export interface OtherClock {
  readonly env: Readonly<Record<string, string>>;
  /**
   * Sets the clock ahead within a second; durations are measured by another clock, which continues
   * as before.
   */
  setAhead(seconds: number): Promise<void>;
}

const libraries = ["x86_64", "aarch64"].map(
  (machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`,
);

export async function openClock(dir: string): Promise<OtherClock> {
  const file = join(dir, "clock");
  const setAhead = (seconds: number) =>
    writeFile(file, `${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}s\n`);
  await setAhead(0);
  return {
    env: {
      LD_PRELOAD: await findLibrary(),
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
    setAhead,
  };
}

async function findLibrary(): Promise<string> {
  for (const library of libraries) {
    const isThere = await access(library).then(
      () => true,
      () => false,
    );
    if (isThere) return library;
  }
  throw new Error("libfaketime is missing: apt-get install libfaketime");
}
