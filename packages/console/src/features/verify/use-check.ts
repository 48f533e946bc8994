import type { Verification } from "@zoetrope/sdk/answers";
import { useRef, useState } from "react";
import { client, get } from "../../lib/client.ts";
import { hashFile } from "./hash-file.ts";
import { sendFile } from "./send-file.ts";

export type Check =
  | { state: "idle" }
  | { state: "hashing" | "sending"; file: File; share: number }
  /** Not found by its SHA-256; `null`: it could not be computed. The person decides whether to send it. */
  | { state: "unknown"; file: File; sha256: string | null }
  | { state: "done"; file: File; found: Verification }
  | { state: "failed"; file: File; error: unknown; at: "hash" | "send" };

/** The check of one file at a time. A later one ends the one before. */
export function useCheck() {
  const [check, setCheck] = useState<Check>({ state: "idle" });
  const running = useRef(new AbortController());

  async function start(
    file: File,
    at: "hash" | "send",
    work: (signal: AbortSignal) => Promise<Check>,
  ): Promise<void> {
    running.current.abort();
    const { signal } = renew(running);
    const failed = (error: unknown): Check => ({ state: "failed", file, error, at });
    const next = await work(signal).catch(failed);
    if (!signal.aborted) setCheck(next);
  }

  function hash(file: File): void {
    setCheck({ state: "hashing", file, share: 0 });
    void start(file, "hash", async (signal) => {
      const onProgress = (share: number) => setCheck({ state: "hashing", file, share });
      const sha256 = await hashFile(file, { onProgress, signal });
      if (sha256 === null) return { state: "unknown", file, sha256 };
      const found = await get<Verification>(client, "/api/v1/verify", { sha256 }, signal);
      const isFound = found.result !== "nothing_found";
      return isFound ? { state: "done", file, found } : { state: "unknown", file, sha256 };
    });
  }

  function send(file: File): void {
    setCheck({ state: "sending", file, share: 0 });
    void start(file, "send", async (signal) => {
      const onProgress = (share: number) => setCheck({ state: "sending", file, share });
      return { state: "done", file, found: await sendFile(file, { onProgress, signal }) };
    });
  }

  function reset(): void {
    running.current.abort();
    setCheck({ state: "idle" });
  }

  return { check, hash, send, reset };
}

function renew(running: { current: AbortController }): AbortController {
  running.current = new AbortController();
  return running.current;
}
