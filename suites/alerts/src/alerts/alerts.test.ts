import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { childEnv } from "@zoetrope/dev/services/command-line.ts";
import { findPrograms } from "@zoetrope/dev/services/find-program.ts";
import { familyOf, type Metric } from "@zoetrope/server/metrics/define-metric.ts";
import { metricTable } from "@zoetrope/server/metrics/metric-table.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, test } from "vitest";
import { rows } from "../dashboard/rows.ts";
import { times } from "../drill/run-drill.ts";
import { scenarios } from "../drill/scenarios.ts";
import { monitoringFiles, pathOf } from "../monitoring-files.ts";
import { type AlertCase, alertCases } from "./alert-cases.ts";
import { type Alert, alertTable } from "./alert-table.ts";
import { partAlerts } from "./objectives.ts";
import { ordinary } from "./ordinary-day.ts";
import { renderRuleTests } from "./render-rule-tests.ts";
import { anchorOf, durationOf, renderRules, runbook } from "./render-rules.ts";

const run = promisify(execFile);
const alertNames = Object.keys(alertTable);

async function promtool(...args: string[]): Promise<{ isOk: boolean; said: string }> {
  const { promtool } = await findPrograms(["promtool"]);
  return run(promtool, args, { env: childEnv() }).then(
    ({ stdout, stderr }) => ({ isOk: true, said: stdout + stderr }),
    ({ stdout, stderr }) => ({ isOk: false, said: `${stdout}${stderr}` }),
  );
}

async function runRuleTests(rules: string, cases: readonly AlertCase[]) {
  await using scratch = await makeScratch("rules");
  const rulesFile = join(scratch.path, "alerts.yml");
  const testsFile = join(scratch.path, "tests.yml");
  await writeFile(rulesFile, rules);
  await writeFile(testsFile, renderRuleTests(rulesFile, cases));
  return await promtool("test", "rules", testsFile);
}

test.each(monitoringFiles())(
  "%s is what the code makes; else: npm run generate",
  async (file, text) => {
    expect(await readFile(pathOf(file), "utf8")).toBe(text);
  },
);

test("every metric in the files and in the runbook exists in the table", async () => {
  const names = Object.values<Metric>(metricTable).flatMap((metric) => {
    const family = familyOf(metric);
    if (metric.kind === "counter") return [`${family}_total`];
    return metric.kind === "gauge" ? [family] : [`${family}_bucket`, `${family}_count`];
  });
  const texts = monitoringFiles().map(([, text]) => text);
  texts.push(...Object.keys(ordinary), await readFile(pathOf(runbook), "utf8"));
  const used = texts.flatMap((text) => text.match(/\bzoetrope_\w+/g) ?? []);
  expect(used.length).toBeGreaterThan(alertNames.length);
  expect(used.filter((name) => !names.includes(name))).toEqual([]);
});

/** Returns Prometheus's findings about a rule file. */
async function checkRules(rules: string) {
  await using scratch = await makeScratch("rules");
  const file = join(scratch.path, "rules.yml");
  await writeFile(file, rules);
  return await promtool("check", "rules", file);
}

test("Prometheus takes the rules, also with shortened times, and its configuration", async () => {
  expect(await checkRules(renderRules())).toMatchObject({ isOk: true });
  expect(await checkRules(renderRules(durationOf(times)))).toMatchObject({ isOk: true });
  const config = pathOf("deploy/monitoring/prometheus.yml");
  expect(await promtool("check", "config", config)).toMatchObject({ isOk: true });
});

test("Prometheus takes every expression of the dashboard", async () => {
  const queries = rows.flatMap(({ panels }) => panels.flatMap((panel) => panel.queries));
  const rules = queries.map(({ expression }, index) => ({
    record: `panel:${index}`,
    expr: expression.replaceAll("$__rate_interval", "1m"),
  }));
  const text = JSON.stringify({ groups: [{ name: "dashboard", rules }] });
  expect(await checkRules(text)).toMatchObject({ isOk: true });
  const broken = text.replace("sum by (", "sum by ((");
  expect(await checkRules(broken)).toMatchObject({ isOk: false });
});

test("each alert fires after its time and not before, says what it should, clears, and fires alone", async () => {
  const { isOk, said } = await runRuleTests(renderRules(), alertCases);
  expect(said).toContain("SUCCESS");
  expect(isOk).toBe(true);
  const fired = new Set(alertCases.map(({ fires }) => fires?.alert));
  expect(alertNames.filter((name) => !fired.has(name as keyof typeof alertTable))).toEqual([]);
});

test("the cases notice an alert that never fires and one that always does", async () => {
  const rules = renderRules();
  const spoil = (expression: string) =>
    rules.replace("max(zoetrope_ledger_breaches) > 0", expression);
  for (const expression of ["max(zoetrope_ledger_breaches) > 1000", "vector(1)"]) {
    expect(spoil(expression)).not.toBe(rules);
    const cases = alertCases.filter(
      ({ fires }) => fires === null || fires.alert === "LedgerMismatch",
    );
    const { isOk, said } = await runRuleTests(spoil(expression), cases);
    expect(isOk).toBe(false);
    expect(said).toContain("LedgerMismatch");
  }
});

test("every alert has a section of the runbook with its four parts, and every section its alert", async () => {
  const text = await readFile(pathOf(runbook), "utf8");
  const [, ...sections] = text.split(/^## /m);
  expect(sections.map((section) => section.split("\n")[0])).toEqual(alertNames);
  const parts = ["What it means", "Confirm", "Do", "Do not"];
  for (const section of sections)
    expect(section.match(/^\*\*(.*?)\.\*\*/gm)).toEqual(parts.map((part) => `**${part}.**`));
  const links = [...renderRules().matchAll(/runbook: (\S+)/g)].map(([, link]) => link);
  expect(links).toEqual(alertNames.map((name) => `${runbook}#${anchorOf(name)}`));
});

test("every command in the runbook exists: those of operators, and those of the server", async () => {
  const text = await readFile(pathOf(runbook), "utf8");
  const usedOf = (pattern: RegExp) => [
    ...new Set([...text.matchAll(pattern)].map(([, command = ""]) => command)),
  ];
  const ofServer = usedOf(/operator -- ([a-z]+ [a-z]+)/g);
  const main = pathOf("packages/server/src/operator/main.ts");
  const usage = await run(process.execPath, [main], { env: childEnv() }).catch(String);
  expect(ofServer).toContain("ledger verify");
  expect(
    ofServer.filter((command) => !new RegExp(`^  ${command}\\b`, "m").test(String(usage))),
  ).toEqual([]);
  const ofOperators = usedOf(/zoetrope admin ([a-z-]+ [a-z-]+)/g);
  const cli = pathOf("packages/cli/src/main.ts");
  const { stdout } = await run(process.execPath, [cli, "schema"], { env: childEnv() });
  const { commands }: Named = JSON.parse(stdout);
  const nouns = commands.find(({ name }) => name === "admin")?.commands ?? [];
  const known = nouns.flatMap((noun) => noun.commands.map(({ name }) => `${noun.name} ${name}`));
  expect(ofOperators.length).toBeGreaterThan(8);
  expect(ofOperators.filter((command) => !known.includes(command))).toEqual([]);
});

interface Named {
  name: string;
  commands: Named[];
}

test("what is silent while a part's alert fires comes after it, for rules are evaluated in their order", () => {
  const silent = Object.entries<Alert>(alertTable)
    .filter(([, alert]) => alert.expression(durationOf(1)).includes("ALERTS{"))
    .map(([name]) => alertNames.indexOf(name));
  const parts = partAlerts.map((name) => alertNames.indexOf(name));
  expect(silent.length).toBeGreaterThan(0);
  expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...parts)).toBeLessThan(Math.min(...silent));
});

test("the drill makes every alert fire once", () => {
  expect(scenarios.map(({ alert }) => alert).sort()).toEqual([...alertNames].sort());
});
