import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { filtersOf } from "@zoetrope/server/upscale/upscalers/upscale-video.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { drawImages } from "./test-images.ts";

const run = promisify(execFile);

/** The ways in which images are scaled down beforehand. */
const waysDown = ["area", "bicubic"] as const;

interface Sides {
  width: number;
  height: number;
}

const scaled = (flags: string) => (sides: Sides) =>
  `scale=${sides.width}:${sides.height}:flags=${flags},format=yuv420p`;

/** Returns the filters that the service uses. */
const sharpened = (sharpness: number) => (sides: Sides) =>
  filtersOf(
    {
      contentType: "",
      tick: { over: 1, under: 1_000 },
      from: 0,
      to: null,
      isFirst: true,
      isInterlaced: false,
      isMarked: false,
      labelUntil: null,
      colours: null,
      ...sides,
    },
    { preset: "", crf: 0, megabitsMax: 0, sharpness },
  );

const rivals: Record<string, (sides: Sides) => string> = {
  bilinear: scaled("bilinear"),
  bicubic: scaled("bicubic"),
  Lanczos: scaled("lanczos"),
  "CAS 0.2": sharpened(0.2),
  "CAS 0.4": sharpened(0.4),
  "CAS 0.6": sharpened(0.6),
  "0.4, luma alone": (sides) => sharpened(0.4)(sides).replace("cas=0.4", "cas=0.4:planes=1"),
  "0.4 in 8 bits": (sides) => `${scaled("lanczos")(sides)},cas=0.4`,
};
const chosen = "CAS 0.4";
const plain = "Lanczos";

interface Measure {
  ssim: number;
  psnr: number;
}
interface Row {
  what: string;
  by: Map<string, Measure>;
}

/** Images scaled to half and upscaled again: how close each filter comes to the original, as tables. */
export async function runQuality(): Promise<void> {
  await using scratch = await makeScratch("quality");
  const rows: Row[] = [];
  for (const [name, path] of await drawImages(scratch.path))
    for (const way of waysDown) {
      const sides = await sidesOf(path);
      const by = new Map<string, Measure>();
      for (const [rival, filters] of Object.entries(rivals))
        by.set(rival, await measure(path, sides, way, filters(sides)));
      rows.push({ what: `${name}, ${way}`, by });
    }
  print("SSIM\n");
  printTable(rows, ({ ssim }) => format(ssim));
  print("\nPSNR, dB\n");
  printTable(rows, ({ psnr }) => psnr.toFixed(2));
  const [ofChosen, ofPlain] = [meanOf(rows, chosen), meanOf(rows, plain)];
  const worse = rows.filter(({ by }) => format(by.get(chosen)?.ssim) < format(by.get(plain)?.ssim));
  for (const { what } of worse) print(`\nworse than ${plain}: ${what}`);
  print(
    `\nssim_chosen=${format(ofChosen.ssim)} ssim_lanczos=${format(ofPlain.ssim)} items=${rows.length} worse=${worse.length}`,
  );
}

/** Compared as printed: four decimals. */
function format(ssim = Number.NaN): string {
  return ssim.toFixed(4);
}

function meanOf(rows: Row[], rival: string): Measure {
  const mean = (of: keyof Measure) =>
    rows.reduce((sum, { by }) => sum + (by.get(rival)?.[of] ?? Number.NaN), 0) / rows.length;
  return { ssim: mean("ssim"), psnr: mean("psnr") };
}

function printTable(rows: Row[], show: (measure: Measure) => string): void {
  const line = (cells: string[]) => print(`| ${cells.join(" | ")} |`);
  line(["", ...Object.keys(rivals)]);
  line(["---", ...Object.keys(rivals).map(() => "---")]);
  for (const { what, by } of rows) line([what, ...[...by.values()].map(show)]);
  line(["mean", ...Object.keys(rivals).map((rival) => show(meanOf(rows, rival)))]);
}

async function sidesOf(path: string): Promise<Sides> {
  const args = ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", path];
  const [width = 0, height = 0] = (await run("ffprobe", args)).stdout.split(",").map(Number);
  return { width, height };
}

async function measure(path: string, sides: Sides, way: string, up: string): Promise<Measure> {
  const down = `scale=${sides.width / 2}:${sides.height / 2}:flags=${way},format=yuv420p`;
  const graph = [
    `split=3[a][b][small]`,
    `[small]${down},${up},split[c][d]`,
    "[c][a]ssim",
    "[d][b]psnr",
  ].join(";");
  const args = ["-nostdin", "-nostats", "-i", path, "-lavfi", graph, "-f", "null", "-"];
  const { stderr } = await run("ffmpeg", args);
  return {
    ssim: Number(/SSIM .*All:([\d.]+)/.exec(stderr)?.[1]),
    psnr: Number(/PSNR .*average:([\d.]+)/.exec(stderr)?.[1]),
  };
}
