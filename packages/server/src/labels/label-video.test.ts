import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lavfi, renderFile } from "@zoetrope/testkit/make-media.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { measureFile } from "../media/storage/fetch-object.ts";
import { labelVideo } from "./label-video.ts";
import { readAigc } from "./read-aigc.ts";

let scratch: Scratch;
beforeAll(async () => {
  scratch = await makeScratch("label-video");
});
afterAll(() => scratch.remove());

test("a text that is too long to be a label, or to be read, is replaced by the label", async () => {
  const ours = JSON.stringify({ Label: "1", ContentProducer: "Zoetrope" });
  for (const kilobytes of [5, 3_000]) {
    const metadata = join(scratch.path, "metadata.txt");
    await writeFile(metadata, `;FFMETADATA1\nAIGC=${"x".repeat(kilobytes * 1024)}\n`);
    const path = await renderFile(join(scratch.path, `${kilobytes}.mp4`), [
      ...lavfi("testsrc2=size=160x120:rate=5:duration=1"),
      ...["-f", "ffmetadata", "-i", metadata, "-map", "0:v", "-map_metadata", "1"],
      ...["-pix_fmt", "yuv420p", "-movflags", "use_metadata_tags"],
    ]);
    const contentType = "video/mp4";
    const { sizeBytes } = await measureFile(path);
    const seen: (string | null)[] = [];
    const labelFrom = (before: string | null) => {
      seen.push(before);
      return { aigc: ours, sourceType: "trainedAlgorithmicMedia" } as const;
    };
    const labelled = await labelVideo({ path, contentType, sizeBytes }, labelFrom, scratch.path);
    expect(seen).toEqual([null]);
    expect(await readAigc(labelled.path, contentType)).toBe(ours);
  }
});
