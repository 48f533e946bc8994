import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { printCounts, printFaults } from "../../kit/tally.ts";
import { startDns } from "./dns-server.ts";
import { generateUrls } from "./generate-urls.ts";
import { type Judged, judgeRows } from "./judge-rows.ts";
import { ownNetwork } from "./own-network.ts";
import { ownRows } from "./own-rows.ts";
import { portsIn, proveTrap } from "./prove-trap.ts";
import { openPublicHost } from "./public-host.ts";
import { tryRemoteManifests } from "./remote-manifests.ts";
import { everywhere, type Row, readCorpus, withUpscale } from "./rows.ts";
import { awaitEnds, sendRows } from "./send-rows.ts";
import { settingsFor } from "./settings-for.ts";
import { setTrap, type Trap } from "./trap.ts";

const generatedMax = 10_000;
const endMsMax = 900_000;
const violationsShown = 40;

/** The whole run, in a network namespace that nobody else uses. */
export async function judgeInside(seed: number): Promise<boolean> {
  await using scratch = await makeScratch("ssrf");
  await ownNetwork(scratch.path);
  const corpus = await readCorpus();
  const more = [...ownRows, ...generateUrls(seed, generatedMax, corpus)].map(withUpscale);
  const rows = [...corpus, ...corpus, ...more];
  await using dns = await startDns();
  const host = await openPublicHost(scratch.path);
  const ports = portsIn(rows);
  await using trap = await setTrap(ports, host);
  await proveTrap(trap, ports);
  print(
    `seed ${seed}: ${corpus.length} URLs twice, ${ownRows.length} of ours and ${generatedMax} generated, ${ports.length} ports`,
  );
  await using stack = await startStack({ dir: scratch.path, ...settingsFor(host.caFile) });
  const sent = await sendRows(stack, [...rows, ...ownPorts(stack)]);
  print(`${sent.length} requests, ${sent.filter(({ id }) => id !== null).length} let in`);
  const judged = judgeRows(sent, await awaitEnds(stack, endMsMax));
  const wrong = await tryRemoteManifests(scratch.path, host);
  printFaults("WRONG", wrong, violationsShown);
  const isGood = report(judged, trap) && wrong.length === 0;
  print(`  ${dns.asked.size} names were asked for, ${trap.passed} connections to public addresses`);
  const answers5xx = sent.filter(({ status }) => status !== "none" && status >= 500).length;
  const urls = new Set(sent.map(({ row }) => row.url)).size;
  print(`urls=${urls} connections=${trap.caught.length} answers_5xx=${answers5xx}`);
  return isGood && trap.caught.length === 0 && answers5xx === 0;
}

/** The service's own infrastructure, by number and by a name that leads there. */
function ownPorts(stack: Stack): Row[] {
  const { postgres, restate, sandboxUrl, apiUrl, serverEnv } = stack;
  const { ingress, admin } = restate.ports;
  const urls = [sandboxUrl, apiUrl, serverEnv["WORKER_URL"] ?? ""];
  const ports = [postgres.port, ingress, admin, ...urls.map((url) => Number(new URL(url).port))];
  return ports.flatMap((port, index) => [
    { id: `H${index}`, url: `http://127.0.0.1:${port}/`, verdicts: everywhere("refuse") },
    { id: `N${index}`, url: `http://x7f000001.v4.test:${port}/`, verdicts: everywhere("refuse") },
  ]);
}

function report(judged: readonly Judged[], trap: Trap): boolean {
  printCounts(
    judged.map(({ sent, outcome }) => {
      const verdict = String(sent.row.verdicts[sent.entryPoint]).padEnd(14);
      return `${sent.entryPoint.padEnd(8)} ${verdict} ${outcome.replace(/inputs\.\w+\[\d\]/, "input")}`;
    }),
  );
  const violations = judged.flatMap(({ sent: { row, entryPoint }, violation }) =>
    violation === null
      ? []
      : [`${row.id} ${entryPoint} ${JSON.stringify(row.url.slice(0, 120))}: ${violation}`],
  );
  printFaults("VIOLATED", violations, violationsShown);
  const connections = trap.caught.map(
    ({ address, port, firstBytes }) => `${address} ${port} ${firstBytes}`,
  );
  printFaults("CONNECTED", connections, violationsShown);
  return violations.length === 0;
}
