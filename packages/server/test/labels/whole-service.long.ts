import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ownEnv } from "@zoetrope/dev/services/own-env.ts";
import { startStack } from "@zoetrope/dev/stack.ts";
import { Zoetrope } from "@zoetrope/sdk";
import { readCpuMs } from "@zoetrope/testkit/cpu-time.ts";
import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import { lavfi, renderFile } from "@zoetrope/testkit/make-media.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { quickUpscale } from "@zoetrope/testkit/quick-upscale.ts";
import { serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, test } from "vitest";
import { loadSigner } from "../../src/labels/load-signer.ts";
import { signFile } from "../../src/labels/sign-file.ts";
import { probeMedia } from "../../src/media/probe/probe.ts";
import { openSigningBed } from "../harness/signing-bed.ts";
import { listCases } from "../mp4/compare.ts";
import { startFileVendor } from "./file-vendor.ts";
import { packetsOf } from "./packets-of.ts";
import { flipBit, readMarksOutside, readSignature } from "./read-marks.ts";

const fileCountMax = 500;
/** Fewer for a short run, which says whether everything works. */
const fileCount = Number(ownEnv("LABELS_FILES") ?? fileCountMax);
const upscaleCount = Number(ownEnv("LABELS_UPSCALES") ?? 60);
const recordingCount = Math.floor(upscaleCount / 6);
const atOnce = 6;
const progressLineCount = 10;
const vendorsLabel = { Label: "1", ContentProducer: "A Vendor", ProduceID: "v-1" };

test("every output of files of vendors and of upscales says what it is, and nothing that it said before is lost", async () => {
  await using signing = await openSigningBed();
  await using scratch = await makeScratch("labels");
  const root = await readFile(join(signing.issuerDir, "root.pem"), "utf8");
  const { makeCertificates } = await loadSigner();
  const theirs = await makeCertificates({
    dir: join(signing.dir, "vendor"),
    organisation: "A Vendor",
    country: null,
    days: 9,
    issuerDir: signing.issuerDir,
  });
  const vendorsContext = signing.openContext({
    LABEL_CERTIFICATE_FILE: theirs.certificateFile,
    LABEL_KEY_FILE: theirs.keyFile,
  });
  const cases = spread(listCases(fileCountMax), fileCount);
  const pathOf = (number: number) => join(scratch.path, `vendor-${number}.mp4`);
  const hasLabel = (number: number) => cases[number]?.isUsual === true && number % 10 === 3;
  const hasSignature = (number: number) => cases[number]?.isUsual === true && number % 10 === 7;
  const made = progressOf("made", cases.length);
  await inParallel(4, cases.entries(), async ([number, { bytes }]) => {
    const path = pathOf(number);
    await writeFile(path, await bytes());
    if (hasLabel(number)) {
      const own = `${path}.labelled.mp4`;
      const tag = ["-movflags", "use_metadata_tags", "-metadata"];
      const copy = ["-i", path, "-map", "0", "-c", "copy"];
      await renderFile(own, [...copy, ...tag, `AIGC=${JSON.stringify(vendorsLabel)}`]);
      await writeFile(path, await readFile(own));
    }
    if (hasSignature(number)) {
      const outputPath = `${path}.signed`;
      const origin = { action: "created" as const, parent: null };
      const input = { path, contentType: "video/mp4" };
      await signFile(vendorsContext, { input, outputPath, title: "theirs", origin, owner: "v" });
      await writeFile(path, await readFile(outputPath));
    }
    made();
  });
  await using vendor = await startFileVendor((number) => readFile(pathOf(number)));
  await using stack = await startStack({
    dir: scratch.path,
    serverEnv: {
      ...vendor.env,
      ...signing.settings,
      ...quickUpscale,
      LABEL_PRODUCER: "Example Studio",
      REQUESTS_PER_MINUTE_MAX: "100000",
    },
  });
  const account = { name: "labels", credits: 10_000_000, openTasksMax: 100 };
  const { key } = await stack.openAccount(account);
  const client = new Zoetrope({ baseUrl: stack.apiUrl, apiKey: key });
  const counts = { labelled: 0, signed: 0, parents: 0, changed: 0, lost: 0, tampered: 0, tried: 0 };
  let unusable = 0;
  const wrong: string[] = [];
  const report = (text: string) => {
    wrong.push(text);
    print(`WRONG ${text}`);
  };

  /** Fetches an output and checks its marks; returns the local copy. */
  async function check(
    name: string,
    output: { url: string; mediaType: string; labels: string[] },
    taskId: string,
    source: { path: string; label: boolean; signature: boolean; isRecording?: boolean },
  ): Promise<string> {
    const path = join(scratch.path, `output-${randomUUID()}.mp4`);
    await writeFile(path, Buffer.from(await (await fetch(output.url)).arrayBuffer()));
    const { mediaType } = output;
    const { label, exifLabel, signature } = await readMarksOutside(path, mediaType, root);
    const fault = (text: string) => report(`${name}: ${text}`);
    const isExif = mediaType === "video/webm" || exifLabel?.["ProduceID"] === label?.["ProduceID"];
    const producer = source.label ? "A Vendor" : "Example Studio";
    // A propagator that a label names stays: of an upscale that may be the task of its source.
    const isNamed = source.label
      ? label?.["ContentPropagator"] === "Example Studio"
      : [label?.["ProduceID"], label?.["PropagateID"]].includes(taskId);
    const isRight = label?.["ContentProducer"] === producer && isNamed && isExif;
    if (source.isRecording ? label === null : isRight) counts.labelled += 1;
    else fault(`its label is ${JSON.stringify(label)}, by exiftool ${JSON.stringify(exifLabel)}`);
    if (source.label && label?.["ContentProducer"] !== "A Vendor") counts.lost += 1;
    if (signature?.state === "Trusted") counts.signed += 1;
    else if (mediaType !== "video/webm") fault(`its signature is ${signature?.state}`);
    const isBroken = signature?.ingredients.some((failures) => failures.length > 0) ?? false;
    if (source.signature) {
      if (signature?.ingredients.length === 1 && !isBroken) counts.parents += 1;
      else counts.lost += 1;
    }
    if (isBroken) fault("an ingredient is broken");
    return path;
  }

  /** Changes one bit of a signed file, which its signature must show. */
  async function tamper(path: string, mediaType: string): Promise<void> {
    counts.tried += 1;
    const copy = `${path}.flipped`;
    await flipBit(path, copy);
    if ((await readSignature(copy, mediaType, root))?.state === "Invalid") counts.tampered += 1;
  }

  const { pid } = stack.worker;
  const before = (await readCpuMs({ pid })).get("pid") ?? 0;
  const done: { taskId: string; number: number }[] = [];
  const ended = progressOf("ended", cases.length);
  await inParallel(atOnce, cases.entries(), async ([number, { name }]) => {
    const task = await client.tasks.wait(
      (await client.tasks.create({ model: "sd2", inputs: { prompt: `file ${number}` } })).taskId,
    );
    const [output] = task.output ?? [];
    ended();
    if (output === undefined) {
      // Nothing is delivered of a file that is no video, or that is damaged.
      if (cases[number]?.isUsual) report(`${name}: ${task.errorCode}`);
      unusable += 1;
      return;
    }
    const source = {
      path: pathOf(number),
      label: hasLabel(number),
      signature: hasSignature(number),
    };
    const path = await check(name, output, task.taskId, source);
    const packets = await packetsOf(source.path);
    if (JSON.stringify(await packetsOf(path)) !== JSON.stringify(packets)) {
      counts.changed += 1;
      report(`${name}: its streams changed`);
    }
    if (number % 5 === 0 && output.mediaType !== "video/webm") await tamper(path, output.mediaType);
    if (cases[number]?.isUsual) done.push({ taskId: task.taskId, number });
  });
  const after = (await readCpuMs({ pid })).get("pid") ?? 0;
  const delivered = cases.length - unusable;

  await using files = await serveFiles({ dir: scratch.path });
  const recording = join(scratch.path, "recording.mp4");
  await renderFile(recording, [...lavfi("testsrc2=s=64x48:r=12:d=1"), "-pix_fmt", "yuv420p"]);
  const chosen = done
    .toSorted(
      (a, b) =>
        Number(hasLabel(b.number) || hasSignature(b.number)) -
        Number(hasLabel(a.number) || hasSignature(a.number)),
    )
    .slice(0, upscaleCount - recordingCount);
  let upscaled = 0;
  const upscaleEnded = progressOf("upscaled", upscaleCount);
  const upscale = async (
    source: string | { type: "task"; taskId: string },
    from: { path: string; label: boolean; signature: boolean; isRecording?: boolean },
  ) => {
    const { taskId } = await client.upscales.create(source, "1080p");
    const { result, error } = await client.upscales.wait(taskId);
    if (result === null) return report(`upscale of ${from.path}: ${error?.code}`);
    upscaled += 1;
    upscaleEnded();
    await check(`upscale ${taskId}`, result, taskId, from);
  };
  await inParallel(2, chosen, ({ taskId, number }) =>
    // Its parent is our own output, which is signed.
    upscale(
      { type: "task", taskId },
      { path: pathOf(number), label: hasLabel(number), signature: true },
    ),
  );
  await inParallel(2, Array(recordingCount).keys(), () =>
    upscale(files.urlOf(recording), {
      path: recording,
      label: false,
      signature: false,
      isRecording: true,
    }),
  );
  const ms = Math.round((after - before) / delivered);
  print(
    `files=${delivered + upscaled} of=${cases.length + upscaleCount} labelled=${counts.labelled} signed=${counts.signed} parents_valid=${counts.parents} streams_changed=${counts.changed} lost=${counts.lost} tampered_found=${counts.tampered}/${counts.tried} ms_per_video=${ms}`,
  );
  expect(wrong).toEqual([]);
  expect(counts.lost + counts.changed).toBe(0);
  expect(counts.tampered).toBe(counts.tried);
  expect(counts.labelled).toBe(delivered + upscaled);
  expect(upscaled).toBe(upscaleCount);
  expect(await probeMedia(recording)).not.toBeNull();
}, 10_800_000);

/** Returns so many of the items, from all parts of the list. */
function spread<Item>(items: readonly Item[], count: number): Item[] {
  return items.filter((_, at) => (at * count) % items.length < count);
}

/** Prints a line after each tenth of the work. */
function progressOf(what: string, count: number): () => void {
  let done = 0;
  return () => {
    done += 1;
    if (done === count || done % Math.ceil(count / progressLineCount) === 0)
      print(`${what}: ${done} of ${count}`);
  };
}
