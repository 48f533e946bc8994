import type { Config } from "../../../config.ts";
import type { Pixels } from "./read-pixels.ts";
import type { Scores } from "./scores.ts";

/** The models, in a thread that starts with the first image. One image at a time. */
export interface Judge {
  judge(pixels: Pixels): Promise<Scores>;
  close(): Promise<void>;
}

const lines = ["REVIEW_IMAGE", "REVIEW_VIDEO", "REVIEW_AUDIO"] as const;

/** The package is optional: its models are larger than everything else that the server needs. */
export async function loadReviewer(): Promise<{ createJudge(): Judge }> {
  return await import("@zoetrope/reviewer");
}

/** Fails at the start rather than with the first asset. */
export async function requireReviewer(config: Config): Promise<void> {
  const named = lines.filter((name) => config[name].includes("automatic"));
  if (named.length === 0) return;
  await loadReviewer().catch((cause) => {
    throw new Error(
      `${named.join(", ")}: the reviewer automatic needs the package @zoetrope/reviewer. ` +
        "Install it with `npm ci --prefix packages/reviewer` or remove automatic from the setting.",
      { cause },
    );
  });
}
