import { createTaskBody } from "@zoetrope/server/generation/schema.ts";
import { faultOfUrl } from "@zoetrope/server/media/fetch/public-address.ts";
import { applyFiles } from "@zoetrope/server/models/asset-rules.ts";
import { models } from "@zoetrope/server/models/catalogue.ts";
import { planRequest, requireModel } from "@zoetrope/server/models/plan-request.ts";
import { priceOf } from "@zoetrope/server/models/prices.ts";
import { mediaOf } from "@zoetrope/server/models/request.ts";
import { ratesIn } from "@zoetrope/server/prices/document.ts";
import { readFirstBooks } from "@zoetrope/server/prices/first-books.ts";
import { percentile } from "@zoetrope/testkit/percentile.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { assets, type Body, largestBodies } from "./largest-requests.ts";

const warmUpRounds = 2_000;
const rounds = 20_000;
const p99UsMax = 1_000;
const book = readFirstBooks().get("B") ?? {};

/** Everything from a parsed body to its price, except the database. */
function checkAndPrice(inputs: unknown): number {
  const body = createTaskBody.parse(inputs);
  const model = requireModel(models, body.model);
  const planned = planRequest(model, body.inputs);
  const urls = mediaOf(planned).flatMap(({ ref }) => ref.url ?? []);
  for (const url of [...urls, body.callBackUrl ?? ""]) {
    const fault = faultOfUrl(url, ["https:", "http:"], { allowLoopback: false });
    if (fault !== null) throw new Error(fault);
  }
  const rates = ratesIn(book, model);
  if (rates === null) throw new Error(`the book B has no rates of ${model.name}`);
  return priceOf(model, applyFiles(model, planned, { assets, outputs: new Map() }), rates).credits;
}

/** The models alternate, so that what else the machine does hits all of them alike. */
export function runRules(): void {
  const timesUs = largestBodies.map(() => new Float64Array(rounds));
  for (let round = -warmUpRounds; round < rounds; round++)
    for (const [index, body] of largestBodies.entries()) {
      const startedAt = performance.now();
      checkAndPrice(body);
      const tookUs = (performance.now() - startedAt) * 1_000;
      const times = timesUs[index];
      if (round >= 0 && times !== undefined) times[round] = tookUs;
    }
  const rows = largestBodies.map((body, index) => describe(body, timesUs[index]));
  for (const { model, ...figures } of rows) {
    const cells = Object.entries(figures).map(([name, value]) => `${name}=${value}`);
    print(`${model.padEnd(14)}${cells.join("  ")}`);
  }
  const worst = Math.max(...rows.map(({ p99_us }) => p99_us));
  print(`p99_us=${worst}`);
  if (worst > p99UsMax) process.exitCode = 1;
}

function describe(body: Body, timesUs = new Float64Array()) {
  const at = (share: number) => Math.round(percentile(timesUs, share));
  return {
    model: body.model,
    bytes: Buffer.byteLength(JSON.stringify(body)),
    credits: checkAndPrice(body),
    p50_us: at(0.5),
    p99_us: at(0.99),
    max_us: at(1),
  };
}
