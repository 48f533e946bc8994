import assert from "node:assert";

/**
 * The published prices as they are printed, and a reader for them. It shares nothing with the prices
 * that the service computes: the two meet only in a test.
 */
type Schedule = "A" | "B";

export interface Video {
  model: "sd2" | "sd2-fast" | "happyhorse";
  outputResolution: "720p" | "1080p";
  upscaleResolution: "1080p" | "2k" | "4k" | null;
  seconds: number;
  inputVideoMs: readonly number[];
}

export interface Image {
  model: "image-pro-2" | "image-plus-2";
  resolution: "1k" | "2k" | "4k";
  /** The quality, which only `image-pro-2` has. */
  quality: "medium" | "high" | null;
}

const sd2Table = `
| item | A, no video input | A, with video input | B, no video input | B, with video input |
| sd2 720P | 6 x out | 4 x (out+in) | 40 x out | 30 x (out+in) |
| sd2 1080P | 15 x out | 11 x (out+in) | 100 x out | 75 x (out+in) |
| sd2 2K | (6+5) x out | 4 x (out+in) + 5 x out | (40+30) x out | 30 x (out+in) + 30 x out |
| sd2 4K | (6+7) x out | 4 x (out+in) + 7 x out | (40+40) x out | 30 x (out+in) + 40 x out |
| sd2-fast 720P | 5 x out | 4 x (out+in) | 32 x out | 24 x (out+in) |
| sd2-fast 1080P | (5+3) x out | 4 x (out+in) + 3 x out | (32+20) x out | 24 x (out+in) + 20 x out |
| sd2-fast 2K | (5+5) x out | 4 x (out+in) + 5 x out | (32+30) x out | 24 x (out+in) + 30 x out |
| sd2-fast 4K | (5+7) x out | 4 x (out+in) + 7 x out | (32+40) x out | 24 x (out+in) + 40 x out |
`;

/** Credits per second. */
const happyhorseTable = `
| output | A | B |
| 720P | 5 | 32 |
| 1080P | 9 | 60 |
| 2K | 5+5 | 32+30 |
| 4K | 5+7 | 32+40 |
`;

/** Credits per image: A / B. */
const imageTable = `
| resolution | image-pro-2 medium | image-pro-2 high | image-plus-2 |
| 1k | 3 / 15 | 13 / 70 | 3 / 15 |
| 2k | 6 / 35 | 22 / 125 | 6 / 35 |
| 4k | 11 / 60 | 40 / 230 | 11 / 60 |
`;

/** Every printed price by its row and column, such as `sd2 2K, A, with video input`. */
const cells = new Map([
  ...cellsOf(sd2Table),
  ...cellsOf(happyhorseTable, "happyhorse "),
  ...cellsOf(imageTable).flatMap(([cell, text]) => {
    const [a = "", b = ""] = text.split(" / ");
    return [[`${cell}, A`, a] as const, [`${cell}, B`, b] as const];
  }),
]);
export const publishedCells: readonly string[] = [...cells.keys()];

function cellsOf(table: string, rowPrefix = ""): [cell: string, text: string][] {
  const lines = table.trim().split("\n");
  const [[, ...columns] = [], ...rows] = lines.map((line) => line.slice(2, -2).split(" | "));
  return rows.flatMap(([row, ...texts]) => {
    assert(texts.length === columns.length);
    return texts.map((text, at): [string, string] => [`${rowPrefix}${row}, ${columns[at]}`, text]);
  });
}

function textOf(cell: string): string {
  return cells.get(cell) ?? assert.fail(`nothing is printed for ${cell}`);
}

interface Price {
  credits: number;
  /** The cell in which it is printed; `null` for a combination that the tables leave out. */
  cell: string | null;
}

export function publishedPrice(request: Video | Image, schedule: Schedule): Price {
  return "seconds" in request ? videoPrice(request, schedule) : imagePrice(request, schedule);
}

function imagePrice({ model, resolution, quality }: Image, schedule: Schedule): Price {
  const cell = `${resolution}, ${model}${quality === null ? "" : ` ${quality}`}, ${schedule}`;
  return { credits: roundUp(evaluate(textOf(cell), {})), cell };
}

/** Rows have 2K, requests have 2k. */
const printed = { "720p": "720P", "1080p": "1080P", "2k": "2K", "4k": "4K" } as const;

/** The resolutions that are printed as native. Others are printed as upscaled from 720P. */
const nativeOf = { sd2: ["720p", "1080p"], "sd2-fast": ["720p"], happyhorse: ["720p", "1080p"] };
const upscaledOf = {
  sd2: ["2k", "4k"],
  "sd2-fast": ["1080p", "2k", "4k"],
  happyhorse: ["2k", "4k"],
};

function videoPrice(video: Video, schedule: Schedule): Price {
  const { model, outputResolution: output, upscaleResolution: upscale } = video;
  assert(nativeOf[model].includes(output));
  if (upscale === null) {
    const native = videoCell(video, output, schedule);
    return { credits: roundUp(videoThirds(video, native)), cell: native };
  }
  if (output === "720p" && upscaledOf[model].includes(upscale)) {
    const upscaled = videoCell(video, upscale, schedule);
    return { credits: roundUp(videoThirds(video, upscaled)), cell: upscaled };
  }
  return { credits: formulaPrice(video, schedule), cell: null };
}

/**
 * Returns the price that the tables leave out: the native resolution's row, and what the upscale adds
 * elsewhere.
 */
export function formulaPrice(video: Video, schedule: Schedule): number {
  const native = videoThirds(video, videoCell(video, video.outputResolution, schedule));
  return roundUp(native + addOnThirds(video, schedule));
}

/** The one model with a row for every upscale shows what an upscale adds. */
function addOnThirds({ seconds, upscaleResolution }: Video, schedule: Schedule): bigint {
  if (upscaleResolution === null) return 0n;
  const without = { model: "sd2-fast", seconds, inputVideoMs: [] } as const;
  const upscaled = videoThirds(without, videoCell(without, upscaleResolution, schedule));
  return upscaled - videoThirds(without, videoCell(without, "720p", schedule));
}

type Clip = Pick<Video, "model" | "seconds" | "inputVideoMs">;

function videoCell(video: Clip, resolution: keyof typeof printed, schedule: Schedule): string {
  const row = `${video.model} ${printed[resolution]}, ${schedule}`;
  if (video.model === "happyhorse") return row;
  return `${row}, ${video.inputVideoMs.length === 0 ? "no video input" : "with video input"}`;
}

function videoThirds(video: Clip, cell: string): bigint {
  const text = video.model === "happyhorse" ? `(${textOf(cell)}) x out` : textOf(cell);
  const out = 3n * BigInt(video.seconds);
  const atLeast = 2n * BigInt(video.seconds); // out x 2/3, in thirds
  let sum = 0n;
  for (const ms of video.inputVideoMs) {
    let counted = 3n * ((BigInt(ms) + 999n) / 1000n); // rounded up to whole seconds
    if (counted < atLeast) counted = atLeast;
    sum += counted;
  }
  return evaluate(text, { out, in: sum });
}

function roundUp(thirds: bigint): number {
  return Number((thirds + 2n) / 3n);
}

/** Values are whole numbers of thirds, so that nothing is ever rounded on the way. */
type Values = Record<string, bigint>;
type Expression = (values: Values) => bigint;

const compiled = new Map<string, Expression>();

function evaluate(text: string, values: Values): bigint {
  let expression = compiled.get(text);
  if (expression === undefined) {
    expression = compile(text);
    compiled.set(text, expression);
  }
  return expression(values);
}

/** Sums of products of numbers, names and brackets; `x` multiplies. */
function compile(text: string): Expression {
  const tokens = text.match(/[0-9]+|[a-z]+|[^\s]/g) ?? [];
  let at = 0;
  const take = (token: string) => tokens[at] === token && at++ >= 0;

  function chain(
    operator: string,
    operand: () => Expression,
    join: (a: bigint, b: bigint) => bigint,
  ) {
    let left = operand();
    while (take(operator)) {
      const [a, b] = [left, operand()];
      left = (values) => join(a(values), b(values));
    }
    return left;
  }
  const sum = (): Expression => chain("+", product, (a, b) => a + b);
  const product = (): Expression =>
    chain("x", factor, (a, b) => {
      assert((a * b) % 3n === 0n, "one side of a product is a whole number");
      return (a * b) / 3n;
    });
  function factor(): Expression {
    if (take("(")) {
      const inner = sum();
      assert(take(")"), `a bracket stays open in '${text}'`);
      return inner;
    }
    const token = tokens[at++] ?? assert.fail(`'${text}' ends too early`);
    if (/^[0-9]+$/.test(token)) {
      const thirds = 3n * BigInt(token);
      return () => thirds;
    }
    assert(/^[a-z]+$/.test(token), `'${token}' in '${text}' is neither a number nor a name`);
    return (values) => values[token] ?? assert.fail(`'${token}' in '${text}' has no value`);
  }

  const whole = sum();
  assert(at === tokens.length, `'${text}' goes on after its end`);
  return whole;
}
