import type { ReviewerName } from "../reviewer.ts";
import type { Pixels } from "./read-pixels.ts";
import type { Scores } from "./scores.ts";

/** The models, in a thread that starts with the first image. One image at a time. */
export interface Judge {
  judge(pixels: Pixels): Promise<Scores>;
  close(): Promise<void>;
}

/** The package is optional: its models are larger than everything else that the server needs. */
export async function loadReviewer(): Promise<{ createJudge(): Judge }> {
  return await import("@zoetrope/reviewer");
}

/** Fails at the start rather than with the first asset. */
export async function requireReviewer(named: readonly ReviewerName[]): Promise<void> {
  if (!named.includes("automatic")) return;
  await loadReviewer().catch((cause) => {
    throw new Error(
      "The reviewer automatic needs the package @zoetrope/reviewer. Install it with " +
        "`npm ci --prefix packages/reviewer`, or remove automatic from the review settings.",
      { cause },
    );
  });
}
