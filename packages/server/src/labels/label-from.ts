import type { TaskId } from "../ids.ts";
import type { MarkPoster } from "../media/image/store-poster.ts";
import type { Config } from "../settings/config.ts";
import { labelPolicies } from "../settings/label-policies.ts";
import { aigcOf, type LabelFrom } from "./aigc.ts";
import { labelImage } from "./label-image.ts";

interface LabelsContext {
  config: Pick<Config, "labels">;
}

/** The label of what a model made for a task; null where the deployment adds none. */
export function labelFromOf({ config }: LabelsContext, taskId: TaskId): LabelFrom | null {
  const { policy, producer } = config.labels;
  if (!labelPolicies[policy].implicit) return null;
  return (before) => ({
    aigc: aigcOf(producer, taskId, before),
    sourceType: "trainedAlgorithmicMedia",
  });
}

/**
 * The label of an upscale; null if there is none. A source's label is carried over: nothing that a model
 * made loses it. Our own upscaler makes no recording the work of a model.
 */
export function upscaleLabelOf(
  { config }: LabelsContext,
  taskId: TaskId,
  video: { by: "us" | "vendor"; aigc?: string },
): LabelFrom | null {
  const { policy, producer } = config.labels;
  const { implicit } = labelPolicies[policy];
  const { by, aigc: before } = video;
  if (before !== undefined) {
    const aigc = implicit ? aigcOf(producer, taskId, before) : before;
    return () => ({ aigc, sourceType: "trainedAlgorithmicMedia" });
  }
  if (!implicit || by === "us") return null;
  const aigc = aigcOf(producer, taskId, null);
  return () => ({ aigc, sourceType: "compositeWithTrainedAlgorithmicMedia" });
}

/** The poster carries the label of its output. */
export function posterMarkOf(labelFrom: LabelFrom | null): MarkPoster {
  if (labelFrom === null) return (webp) => webp;
  return (webp) => labelImage(webp, "image/webp", labelFrom);
}
