import type { FileRules } from "../models/file-rules.ts";
import type { Model } from "../models/model.ts";

/** Describes the requirements of every mode that takes files. */
export function describeFiles(models: readonly Model[]) {
  return models.flatMap(({ name: model, modes }) =>
    modes.flatMap(({ name: mode, files }) =>
      Object.entries(files).map(([input, rules]) => ({
        model,
        mode,
        input,
        rules: describeRules(rules),
      })),
    ),
  );
}

function describeRules(rules: FileRules): string {
  const { shortSidePixelsMin, longSidePixelsMax, ratioMax } = rules;
  const { sizeMegabytesMax, formats, videoCodecs, durationSecondsMax } = rules;
  const limit = ratioMax === undefined ? null : ratioMax[0] / ratioMax[1];
  return [
    shortSidePixelsMin && `at least ${shortSidePixelsMin} px on its shortest side`,
    longSidePixelsMax && `at most ${longSidePixelsMax} px on its longest side`,
    limit && `an aspect ratio between 1:${limit} and ${limit}:1`,
    sizeMegabytesMax && `at most ${sizeMegabytesMax} MB`,
    formats?.join(", "),
    videoCodecs && `encoded as ${videoCodecs.join(" or ")}`,
    durationSecondsMax && `at most ${durationSecondsMax} s long`,
  ]
    .filter(Boolean)
    .join("; ");
}
