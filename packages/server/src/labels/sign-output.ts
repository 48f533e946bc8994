import { dirname, join } from "node:path";
import type { TaskId } from "../ids.ts";
import type { Config } from "../settings/config.ts";
import { labelPolicies } from "../settings/label-policies.ts";
import { type SigningContext, signFile } from "./sign-file.ts";

/** The types of files that carry a C2PA manifest: a WebM has no place for one. */
const signedTypes: readonly string[] = [
  "video/mp4",
  "video/quicktime",
  "image/png",
  "image/jpeg",
  "image/webp",
];

/** Whether the deployment signs outputs of this type. */
export function signsOutputs({ labels }: Config, contentType: string): boolean {
  return (
    labelPolicies[labels.policy].implicit &&
    labels.certificate !== null &&
    signedTypes.includes(contentType)
  );
}

/** Signs a labelled file; returns the path of the signed copy beside it. */
export async function signOutput(
  ctx: SigningContext,
  input: { path: string; contentType: string },
  order: { taskId: TaskId; owner: string; origin: Parameters<typeof signFile>[1]["origin"] },
): Promise<string> {
  const { taskId, owner, origin } = order;
  const outputPath = join(dirname(input.path), "signed");
  await signFile(ctx, { input, outputPath, title: taskId, origin, owner });
  return outputPath;
}
