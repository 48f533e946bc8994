import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lavfi, renderFile } from "@zoetrope/testkit/make-media.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSigningBed, type SigningBed } from "../../test/harness/signing-bed.ts";
import { probeMedia } from "../media/probe/probe.ts";
import { readMarks } from "./read-marks.ts";
import { type SigningContext, signFile } from "./sign-file.ts";

let bed: SigningBed;
let signed: string;
beforeAll(async () => {
  bed = await openSigningBed();
  const label = JSON.stringify({ Label: "1", ContentProducer: "A studio", ProduceID: "7" });
  const path = await renderFile(join(bed.dir, "video.mp4"), [
    ...lavfi("testsrc2=size=160x120:rate=12:duration=1"),
    ...["-pix_fmt", "yuv420p", "-movflags", "use_metadata_tags", "-metadata", `AIGC=${label}`],
  ]);
  signed = join(bed.dir, "signed.mp4");
  await signFile(bed.openContext(), {
    input: { path, contentType: "video/mp4" },
    outputPath: signed,
    title: "a task's id",
    origin: { action: "created", parent: null },
    owner: "account",
  });
});
afterAll(() => bed[Symbol.asyncDispose]());

const entry = { owner: "verify", signal: new AbortController().signal };

async function marksOf(ctx: SigningContext, path: string) {
  const facts = await probeMedia(path);
  return facts === null ? null : readMarks(ctx, path, facts, entry);
}

const label = { kind: "AIGC", producer: "A studio", propagator: null };
const manifest = { kind: "C2PA", name: "Example Studio" };

test("a file's label and manifest are its marks, and the manifest is ours where our certificate signed it", async () => {
  expect(await marksOf(bed.openContext(), signed)).toEqual([
    label,
    { ...manifest, signer: "ours", isValid: true },
  ]);
  expect(await marksOf(bed.openContext({}), signed)).toEqual([
    label,
    { ...manifest, signer: "others", isValid: true },
  ]);
});

test("a file that was changed after it was signed is not ours, and its manifest not valid", async () => {
  const bytes = await readFile(signed);
  const at = bytes.lastIndexOf("mdat") + 100;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  const path = join(bed.dir, "changed.mp4");
  await writeFile(path, bytes);
  expect(await marksOf(bed.openContext(), path)).toContainEqual({
    ...manifest,
    signer: "others",
    isValid: false,
  });
});
