import assert from "node:assert";
import { connect } from "node:net";
import { type House, startHouse } from "@zoetrope/dev/house.ts";
import { makeScratch } from "@zoetrope/dev/services/scratch.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { Client } from "pg";
import { callApi } from "../load/call-api.ts";
import { openAccounts } from "../load/open-accounts.ts";
import { say } from "../say.ts";
import { publicV4 } from "./addresses.ts";
import { startDns } from "./dns-server.ts";
import { type Door, doors, type Ends, readEnds } from "./doors.ts";
import { generateUrls } from "./generate-urls.ts";
import { ownNetwork } from "./own-network.ts";
import { openPublicHost } from "./public-host.ts";
import { type DoorName, doorNames, everywhere, type Row, readCorpus } from "./rows.ts";
import { setTrap, type Trap } from "./trap.ts";

const generatedMax = 10_000;
const atOnceMax = 8;
const corpusRounds = 2;
const endMsMax = 900_000;
const dnsPort = 53;
const violationsShown = 40;

interface Sent {
  row: Row;
  door: DoorName;
  status: number | "none";
  /** Of the task or asset, where it was let in. */
  id: string | null;
  reason: string | null;
}

/** The whole run, in a network namespace that nobody else uses. */
export async function judgeInside(seed: number): Promise<boolean> {
  await using scratch = await makeScratch("ssrf");
  await ownNetwork(scratch.path);
  const corpus = await readCorpus();
  const rows = [...corpus, ...corpus, ...generateUrls(seed, generatedMax, corpus)];
  await using dns = await startDns();
  const host = await openPublicHost(scratch.path);
  const ports = portsIn(rows);
  await using trap = await setTrap(ports, host);
  await proveTrap(trap, ports);
  say(
    `seed ${seed}: ${corpus.length} URLs twice and ${generatedMax} generated, ${ports.length} ports`,
  );
  await using house = await startHouse({
    dir: scratch.path,
    serverEnv: {
      ALLOW_LOOPBACK: "false",
      NODE_EXTRA_CA_CERTS: host.caFile,
      LOG_LEVEL: "info",
      STEP_PATIENCE_MS: "3000",
      LOOK_FIRST_MS: "2000",
      REVIEW_IMAGE: "",
    },
    sandboxEnv: { SANDBOX_QUEUED_MS: "50", SANDBOX_RUNNING_MS: "50" },
  });
  const sent = await sendAll(house, [...rows, ...ownPorts(house)]);
  say(`${sent.length} requests, ${sent.filter(({ id }) => id !== null).length} let in`);
  const ends = await awaitEnds(house);
  const isGood = judge(sent, ends, trap);
  say(`  ${dns.asked.size} names were asked for, ${trap.passed} connections to public addresses`);
  const answers5xx = sent.filter(({ status }) => status !== "none" && status >= 500).length;
  const urls = new Set(sent.map(({ row }) => row.url)).size;
  say(`urls=${urls} connections=${trap.caught.length} answers_5xx=${answers5xx}`);
  return isGood && trap.caught.length === 0 && answers5xx === 0;
}

function portsIn(rows: readonly Row[]): number[] {
  const named = rows.flatMap(({ url }) => {
    const targets = [url, URL.parse(url)?.searchParams.get("url") ?? ""];
    return targets.map((target) => Number(URL.parse(target)?.port ?? 0));
  });
  return [...new Set([80, 443, ...named])].filter((port) => port > 0 && port !== dnsPort);
}

/** The trap has to be able to catch: every kind of forbidden address is called once, on some port. */
async function proveTrap(trap: Trap, ports: readonly number[]): Promise<void> {
  const targets = [
    ...["127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.100.100.200"],
    ...["168.63.129.16", "169.254.169.254", "172.31.255.255", "192.0.0.192", "192.0.2.1"],
    ...["192.88.99.1", "192.168.0.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "240.0.0.1"],
    ...["::1", "::", "::ffff:10.0.0.1", "::127.0.0.1", "::ffff:0:7f00:1", "64:ff9b::7f00:1"],
    ...["64:ff9b:1::a00:1", "2002:7f00:1::", "2001::5601:5601", "2001:db8::1", "3fff::1"],
    ...["5f00::1", "100::1", "fc00::1", "fd00:ec2::254", "fec0::1", "2001:20::1"],
  ];
  for (const [place, address] of [...targets, publicV4].entries())
    await touch(address, ports[place % ports.length] ?? 80);
  await waitUntil(
    "the trap has caught every test",
    () => trap.caught.length === targets.length && trap.passed === 1,
    { timeoutMs: 5_000 },
  );
  say(`the trap catches ${targets.length} of ${targets.length} forbidden addresses`);
  trap.forget();
}

async function touch(host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(port, host, resolve).on("error", reject);
  await promise;
  socket.destroy();
}

/** The service's own infrastructure, by number and by a name that leads there. */
function ownPorts(house: House): Row[] {
  const { postgres, restate, sandboxUrl, apiUrl, serverEnv } = house;
  const { ingress, admin } = restate.ports;
  const urls = [sandboxUrl, apiUrl, serverEnv["WORKER_URL"] ?? ""];
  const ports = [postgres.port, ingress, admin, ...urls.map((url) => Number(new URL(url).port))];
  return ports.flatMap((port, place) => [
    { id: `H${place}`, url: `http://127.0.0.1:${port}/`, verdicts: everywhere("refuse") },
    { id: `N${place}`, url: `http://x7f000001.v4.test:${port}/`, verdicts: everywhere("refuse") },
  ]);
}

async function sendAll(house: House, rows: readonly Row[]): Promise<Sent[]> {
  const [account] = await openAccounts(house.databaseOwnerUrl, [
    { name: "ssrf", credits: 1_000_000_000, openTasksMax: 1_000_000, schedule: null },
  ]);
  assert(account !== undefined);
  const sent: Sent[] = [];
  const seen = new Map<string, number>();
  let next = 0;
  const work = async () => {
    for (let row = rows[next++]; row !== undefined; row = rows[next++]) {
      const round = seen.get(row.id) ?? 0;
      seen.set(row.id, round + 1);
      assert(round < corpusRounds);
      for (const name of doorNames)
        sent.push(await sendOne(house.apiUrl, account.key, { row, name, round }));
    }
  };
  await Promise.all(Array.from({ length: atOnceMax }, work));
  return sent;
}

async function sendOne(
  apiUrl: string,
  key: string,
  { row, name, round }: { row: Row; name: DoorName; round: number },
): Promise<Sent> {
  const door: Door = doors[name];
  const answer = await callApi(apiUrl, { ...door.callOf(row.url, round), key });
  if (answer === "none") return { row, door: name, status: "none", id: null, reason: null };
  const body = answer.body as Record<string, unknown>;
  const { status } = answer;
  if (status === 200) return { row, door: name, status, id: door.idOf(body), reason: null };
  return { row, door: name, status, id: null, reason: JSON.stringify(body) };
}

async function awaitEnds(house: House): Promise<Record<DoorName, Ends>> {
  const db = new Client({ connectionString: house.databaseOwnerUrl });
  await db.connect();
  try {
    for (const name of doorNames) {
      const isOver = async () => {
        const { rows } = await db.query<{ open: number }>(doors[name].open);
        return rows[0]?.open === 0;
      };
      await waitUntil(`nothing is under way at the door "${name}"`, isOver, {
        timeoutMs: endMsMax,
        intervalMs: 500,
      });
    }
    return {
      image: await readEnds(db, doors.image),
      asset: await readEnds(db, doors.asset),
      callback: await readEnds(db, doors.callback),
    };
  } finally {
    await db.end();
  }
}

function judge(sent: readonly Sent[], ends: Record<DoorName, Ends>, trap: Trap): boolean {
  const violations: string[] = [];
  const tally = new Map<string, number>();
  for (const { row, door, status, id, reason } of sent) {
    const end = id === null ? reason : ends[door].get(id);
    const violated = (what: string) =>
      violations.push(`${row.id} ${door} ${JSON.stringify(row.url.slice(0, 120))}: ${what}`);
    const verdict = row.verdicts[door];
    const outcome = id === null ? `answered ${status}` : (end ?? "worked");
    const line = `${door.padEnd(8)} ${verdict.padEnd(6)} ${outcome.replace(/inputs\.\w+\[\d\]/, "input")}`;
    tally.set(line, (tally.get(line) ?? 0) + 1);
    if (status !== 200 && status !== 400) violated(`answered ${status} ${reason ?? ""}`);
    else if (end === undefined) violated("let in, and there is no record of it");
    else if (verdict === "refuse" && end === null) violated("let in, and it worked");
    else if (verdict === "accept" && end !== null) violated(`refused: ${end}`);
  }
  for (const [line, times] of [...tally].sort()) say(`  ${String(times).padStart(6)}  ${line}`);
  for (const violation of violations.slice(0, violationsShown)) say(`  VIOLATED ${violation}`);
  if (violations.length > violationsShown) say(`  and ${violations.length - violationsShown} more`);
  for (const { address, port, said } of trap.caught.slice(0, violationsShown))
    say(`  CONNECTED ${address} ${port} ${said}`);
  return violations.length === 0;
}
