import { join } from "node:path";
import type { Env } from "@zoetrope/dev/start-server.ts";
import { percentile } from "@zoetrope/testkit/percentile.ts";
import { checkOutPreviousRelease } from "@zoetrope/testkit/previous-release.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import type { OutputType } from "../customer.ts";
import { median, ratios } from "../ratios.ts";
import { makeSampleImage, makeSampleVideo } from "../sample-video.ts";
import { startCosts } from "../video/costs.ts";
import { type StartedService, startService } from "../video/start-service.ts";
import { probeVideo, storeOutputs } from "../video/store-outputs.ts";

const sides = ["before", "none", "now", "signed"] as const;
type Side = (typeof sides)[number];
type Services = Readonly<Record<Side, StartedService>>;

const round = { count: 48, atOnce: 24 };
const warmUp = { count: 16, atOnce: 8 };
const probes = 30;
const accounts = 40;

/** The marks that every output carries; null: whatever the release before writes. */
const labelsOf: Readonly<Record<Side, string | null>> = {
  before: null,
  none: "",
  now: "aigc",
  signed: "aigc c2pa",
};

/**
 * Measures what marks cost: stored videos and images of the release before on its own schema, of this server
 * without marks, as it is, and with a certificate, in turn, each in a stack of its own.
 */
export async function runLabels(rounds: number): Promise<void> {
  await using scratch = await makeScratch("labels");
  const { serverDir } = await checkOutPreviousRelease(scratch.path);
  const files = {
    videoPath: await makeSampleVideo(scratch.path),
    imagePath: await makeSampleImage(scratch.path),
  };
  const options = { files, accounts, serverDir: null };
  await using before = await startService({ ...options, serverDir, schemaDir: serverDir });
  await using none = await startService({ ...options, env: { LABELS: "none" } });
  await using now = await startService(options);
  const env = await makeCertificate(now, join(scratch.path, "certificate"));
  await using signed = await startService({ ...options, env });
  const services = { before, none, now, signed };

  await warm(services);
  const video = await measure("video", services, rounds);
  const image = await measure("image", services, rounds);
  const known = await probe(services);
  printTable({ video, image, known });
  const of = (found: Found, side: Side) => median(found.get(side) ?? []).toFixed(0);
  const ratio = (found: Found) => median(ratios(found, "now", "before")).toFixed(2);
  print(
    `video_ms_before=${of(video, "before")} video_ms_none=${of(video, "none")} video_ms=${of(video, "now")} video_ratio=${ratio(video)} image_ms_before=${of(image, "before")} image_ms_none=${of(image, "none")} image_ms=${of(image, "now")} image_ratio=${ratio(image)} signed_video_ms=${of(video, "signed")} known_ms_p50_before=${of(known, "before")} known_ms_p50=${of(known, "now")}`,
  );
}

/** Milliseconds, side by side. */
type Found = Map<Side, number[]>;

/** The settings with which outputs are signed, as the operator's command makes them. */
async function makeCertificate({ stack }: StartedService, dir: string): Promise<Env> {
  const args = ["--dir", dir, "--organisation", "Bench"];
  const made = await stack.operate("labels", "certificate", ...args);
  const { LABEL_CERTIFICATE_FILE, LABEL_KEY_FILE } = made;
  return {
    LABEL_CERTIFICATE_FILE: String(LABEL_CERTIFICATE_FILE),
    LABEL_KEY_FILE: String(LABEL_KEY_FILE),
  };
}

async function warm(services: Services): Promise<void> {
  for (const type of ["video", "image"] as const)
    for (const side of sides) await storeOutputs(services[side], { ...warmUp, type });
}

/** Processor time per output: api, worker with its programs, engine and PostgreSQL. */
async function measure(type: OutputType, services: Services, rounds: number): Promise<Found> {
  const found = noneFound();
  for (let nth = 1; nth <= rounds; nth++)
    for (const side of sides) {
      const service = services[side];
      const costs = await startCosts(service.stack, null);
      const labels = await storeOutputs(service, { ...round, type });
      const { product, api, worker, engine, postgres, starts } = await costs.perOutput(
        round.count,
        "service",
      );
      requireLabels(side, labels);
      found.get(side)?.push(product);
      const parts = Object.entries({ product, api, worker, engine, postgres, starts });
      const line = parts.map(([name, value]) => `${name}=${value.toFixed(1)}`).join(" ");
      print(`${type}, round ${nth}  ${side.padEnd(6)} ${line}`);
    }
  return found;
}

function requireLabels(side: Side, outputs: readonly (readonly string[])[]): void {
  const expected = labelsOf[side];
  const wrong = outputs.map((labels) => labels.join(" ")).find((labels) => labels !== expected);
  if (expected !== null && wrong !== undefined)
    throw new Error(`an output of ${side} carries "${wrong}" and not "${expected}"`);
}

/** One task at a time, side by side: what else the machine does hits all of them. */
async function probe(services: Services): Promise<Found> {
  const found = noneFound();
  for (let nth = 0; nth < probes; nth++)
    for (const side of sides) found.get(side)?.push(await probeVideo(services[side], nth));
  return found;
}

function noneFound(): Found {
  return new Map(sides.map((side) => [side, []]));
}

function printTable({ video, image, known }: Record<"video" | "image" | "known", Found>): void {
  print("\n| milliseconds | per video | per image | until the client has a video, p50 | p90 |");
  print("| --- | --- | --- | --- | --- |");
  for (const side of sides) {
    const waits = known.get(side) ?? [];
    const cells = [
      median(video.get(side) ?? []),
      median(image.get(side) ?? []),
      median(waits),
      percentile(waits, 0.9),
    ];
    print(`| ${side} | ${cells.map((ms) => ms.toFixed(0)).join(" | ")} |`);
  }
  print("");
}
