import { settings } from "@zoetrope/server/settings/settings.ts";
import { expect, test } from "vitest";
import { assumed, measured } from "./measured.ts";
import { sizeDeployment } from "./size-deployment.ts";

const usual = { videoShare: 0.6, videoMb: 4 };

test("a team's thousand tasks a day fit on one machine, with one process of each kind", () => {
  const plan = sizeDeployment({ tasksPerDay: 1e3, ...usual });
  expect(plan).toMatchObject({ isOneMachine: true, shards: 1, engineNodes: 1 });
  expect(plan.processes).toEqual({ api: 1, worker: 1 });
});

test("more tasks never need less of anything", () => {
  let before = sizeDeployment({ tasksPerDay: 1, ...usual });
  for (let tasksPerDay = 10; tasksPerDay <= 1e9; tasksPerDay *= 3) {
    const plan = sizeDeployment({ tasksPerDay, ...usual });
    for (const part of ["api", "worker", "engine", "postgres"] as const)
      expect(plan.cores[part]).toBeGreaterThan(before.cores[part]);
    expect(plan.shards).toBeGreaterThanOrEqual(before.shards);
    expect(plan.processes.worker).toBeGreaterThanOrEqual(before.processes.worker);
    before = plan;
  }
});

test("no primary is asked for more processors or syncs than it is said to have", () => {
  for (let tasksPerDay = 1e6; tasksPerDay <= 1e9; tasksPerDay *= 2) {
    const { shards, cores, syncsPerSecond } = sizeDeployment({ tasksPerDay, ...usual });
    expect(cores.postgres / shards).toBeLessThanOrEqual(assumed.primaryCoresMax);
    expect(syncsPerSecond / shards).toBeLessThanOrEqual(assumed.syncsPerSecondMax);
  }
});

test("rows stay as long as the settings say by default", () => {
  const { retention } = settings;
  const { deliveries, submissions, events } = assumed.rowDays;
  const defaults = [retention.deliveriesDays, retention.submissionsDays, retention.eventsDays];
  expect([deliveries, submissions, events]).toEqual(defaults.map(({ preset }) => Number(preset)));
  expect(assumed.mediaDays).toBe(Number(retention.mediaDays.preset));
});

test("an api has connections to every shard and listens there, a worker to the first and its own", () => {
  const { shards, processes, connections } = sizeDeployment({ tasksPerDay: 1e8, ...usual });
  expect(shards).toBeGreaterThan(1);
  const { api, worker } = processes;
  const workersAtHome = Math.ceil(worker / shards);
  const forHealth = api + worker;
  expect(connections).toBe(
    api * shards * 11 + workersAtHome * 10 + (worker - workersAtHome) * 20 + forHealth,
  );
  const single = sizeDeployment({ tasksPerDay: 1e3, ...usual });
  expect(single.connections).toBe(11 + 10 + 2);
});

test("a task without a video costs its processors what was measured, and nothing to store", () => {
  const plan = sizeDeployment({ tasksPerDay: 1e8, videoShare: 0, videoMb: 4 });
  const busy = plan.cores.worker * assumed.load;
  expect(busy).toBeCloseTo((plan.peakPerSecond * measured.cpuMs.worker) / 1_000);
  expect([plan.mediaGb, plan.costs.media, plan.costs.egress]).toEqual([0, 0, 0]);
});
