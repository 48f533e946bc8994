import { models } from "../models/catalogue.ts";
import { type FileRules, type FileType, fileRulesOf } from "../models/file-rules.ts";

const inputs: Readonly<Record<string, FileType>> = {
  urls: "IMAGE",
  videoUrls: "VIDEO",
  audioUrls: "AUDIO",
};

/** What every mode that takes files asks of them. */
export function describeFiles() {
  return models.flatMap(({ name: model, modes }) =>
    modes.flatMap(({ name: mode, inputs: { shape } }) =>
      Object.entries(inputs)
        .filter(([input]) => Object.hasOwn(shape, input))
        .map(([input, type]) => ({
          model,
          mode,
          input,
          rules: wordsOf(fileRulesOf({ model, mode }, type)),
        })),
    ),
  );
}

function wordsOf(rules: FileRules): string {
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
