import { type Scenario, scenarios } from "./scenario-table.ts";

const usage = `Usage: npm run -s chaos -- COMMAND

  fast [SEED]      300 tasks and upscales of 100 accounts while worker, api and engine are killed
  waiting [TASKS]  many tasks (20000) that wait for a slow vendor: what they cost
  vendors [TASKS]  tasks (300) of all vendors, 30 % of whose submits fail in every way
  accounts [RATE]  vendor accounts added, paused, rotated and removed under load (4 tasks/s)
  polling [TASKS]  many tasks (5000) of a vendor without callbacks: when their ends are seen
  ssrf [SEED]      URLs to forbidden addresses at every entry point, in a network of its own (root)
  guards           each clause of the URL guard removed in turn: what gets through (root)
  media            bad and odd files of every kind at every entry point that takes files
  upscale [SECONDS]  upscales of a clip (120 s) while workers are killed and stopped
  callbacks [TASKS]  callbacks (100000) to receivers of which 30 % fail in every way
  callbacks kills [TASKS]  the same (2000) while workers are killed
  callbacks noisy [CALLBACKS]  whether one account's backlog (20000) delays another's callbacks
  tenants [SECONDS]  twelve hostile accounts beside ten ordinary ones (300 s)
  outages [SECONDS]  storage, engine, database and a worker away under load (180 s each)
  upgrade [TASKS]  the previous release and this one side by side while tasks (500) wait
  failover [TASKS]  the members of a pair of PostgreSQL servers killed, frozen and exchanged under load (at least 400 tasks)
  nodes [SECONDS]  three engine nodes: grown, killed, frozen, emptied, restarted (600 s in all)
  tenth [SEED] [FAULTS]  everything at once: 10000 tasks of 200 accounts, a fault every 15 to 20 s (root);
                   FAULTS, such as 3,7-9, keeps only these of the seed's faults
  spread [SECONDS]  how steps spread over workers behind four kinds of one address (windows of 10 s; root)
  shards [MOVES]   accounts of two databases moved (12 times) from one to the other while they work
  overload [SECONDS]  three times as many creates as the service can accept (300 s)
  restore          the database lost under load, restored to an earlier point and reconciled
  streaming        videos of 1 GB and 199 MB in and out: what they cost in memory
`;

async function main(): Promise<boolean> {
  const [first = "", second = "", third] = process.argv.slice(2);
  const hasTwoWords = `${first} ${second}` in scenarios;
  const scenario = scenarios[hasTwoWords ? `${first} ${second}` : first];
  const [size, more = ""] = hasTwoWords ? [third] : [second, third];
  if (scenario !== undefined) return scenario.run(sizeOf(scenario, size), more);
  process.stderr.write(usage);
  return false;
}

function sizeOf({ usual = 1, max = 1 }: Scenario, argument = ""): number {
  if (argument === "") return usual;
  const number = Number(argument);
  if (Number.isInteger(number) && number > 0 && number <= max) return number;
  throw new Error(`${argument} is not a whole number from 1 to ${max}`);
}

process.exitCode = (await main()) ? 0 : 1;
