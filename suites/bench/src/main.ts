import { suites } from "./suite-table.ts";

const usage = `Usage: npm run -s bench -- COMMAND

  create [S]       createTask beside pgbench and a bare route, and its latency at 50 a second for S (600) s
  labels [R]       R (3) rounds of stored videos and images, without and with labels and signatures, beside the release before
  latency [S] [D]  accepted to submitted at one task a second for S (120) s, beside the release before, or the copy D of packages/server
  lists [N]        the lists of a console on N (10000000) tasks and on a hundredth, and their plans
  poisoned [R]     what a refused row costs the others of its batch, in every step, R (20) rounds
  pooler [N]       createTask of N (8) api processes with connections of their own and behind PgBouncer
  rules            what it costs to check and price the largest legal request
  upscale [S]      what the service adds to ffmpeg on a clip of S (60) seconds; what a second worker gives
  upscale-quality  how near upscaled images come to the real ones, beside plain filters
  verify [N]       a lookup among N (1000000) prints, the response for a file, and what is recognised after another encoding
  video [R] [D]    R (3) rounds of tasks that end with a stored video, beside a bare program that stores the same file
  waiters [N]      how soon N (10000) clients that wait learn of a change, and what they cost
`;

const [command = "", argument, more = null] = process.argv.slice(2);
const suite = suites[command];
if (suite !== undefined) await suite(argument, more);
else {
  process.stderr.write(usage);
  process.exitCode = 2;
}
