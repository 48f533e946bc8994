import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect } from "vitest";
import { newId, type TaskId } from "../../src/ids.ts";
import { aigcOf, type LabelFrom } from "../../src/labels/aigc.ts";
import { labelMp4 } from "../../src/labels/label-mp4.ts";
import { labelVideo } from "../../src/labels/label-video.ts";
import { readAigc } from "../../src/labels/read-aigc.ts";
import { probeMedia } from "../../src/media/probe/probe.ts";
import { packetsOf } from "../labels/packets-of.ts";
import type { Case } from "./compare.ts";

const filesAtOnce = 4;

interface Counts {
  labelled: number;
  byFfmpeg: number;
  /** Files that are no videos: nothing is delivered of them. */
  unusable: number;
}

/**
 * Labels each file as it is when a vendor delivers it. Every video carries the label afterwards, as ffprobe
 * reads it, with the facts and the packets that it had.
 */
export async function labelFiles(cases: readonly Case[]): Promise<Counts> {
  await using scratch = await makeScratch("label-files");
  const counts: Counts = { labelled: 0, byFfmpeg: 0, unusable: 0 };
  await inParallel(filesAtOnce, cases.entries(), async ([at, { name, bytes }]) => {
    const dir = join(scratch.path, `${at}`);
    await mkdir(dir);
    const source = join(dir, "source");
    const file = await bytes();
    await writeFile(source, file);
    const facts = await probeMedia(source);
    if (facts?.type !== "VIDEO" || facts.durationMs === null) {
      counts.unusable += 1;
      return;
    }
    const { contentType } = facts;
    const aigc = aigcOf("Acme", newId<TaskId>(0), null);
    const labelFrom: LabelFrom = () => ({ aigc, sourceType: "trainedAlgorithmicMedia" });
    const labeller = labelMp4(labelFrom, { keepsSigned: true });
    const passed = await buffer(Readable.from([file]).pipe(labeller.stream));
    const { kind } = labeller.result();
    let path = join(dir, "passed");
    await writeFile(path, passed);
    if (kind === "labelled") counts.labelled += 1;
    else {
      expect(passed.equals(file), name).toBe(kind === "unchanged");
      const sizeBytes = file.length;
      ({ path } = await labelVideo({ path: source, contentType, sizeBytes }, labelFrom, dir));
      counts.byFfmpeg += 1;
    }
    expect(await readAigc(path, contentType), name).toBe(aigc);
    expect(await probeMedia(path), name).toEqual(facts);
    expect(await packetsOf(path), name).toEqual(await packetsOf(source));
  });
  return counts;
}
