import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { runCommand } from "@zoetrope/dev/services/command-line.ts";
import { findPrograms } from "@zoetrope/dev/services/find-program.ts";
import { freePorts } from "@zoetrope/dev/services/ports.ts";
import {
  answersHttp,
  type ReadyProbe,
  type RunningProcess,
  startProcess,
} from "@zoetrope/dev/services/process.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";

export interface S3 extends AsyncDisposable {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  /** Monitor, object store and gateway. */
  readonly pids: readonly number[];
  createBucket(name: string): Promise<void>;
  /** An outage: the gateway is killed, what is stored stays. */
  kill(): Promise<void>;
  /** Ends the outage. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const PROGRAMS = [
  "ceph",
  "ceph-mon",
  "ceph-osd",
  "monmaptool",
  "radosgw",
  "radosgw-admin",
] as const;

interface Ceph {
  readonly programs: Record<(typeof PROGRAMS)[number], string>;
  readonly home: string;
  readonly monitorPort: number;
  readonly gatewayPort: number;
  /** Every program of Ceph takes these first. */
  readonly common: readonly string[];
}

/**
 * A real S3 service on loopback: Ceph's gateway on one monitor and one object store in memory. It
 * starts empty every time, and needs path-style addresses (`forcePathStyle`).
 */
export async function startS3({ dir }: { dir: string }): Promise<S3> {
  const ceph = await prepare(resolve(dir));
  await using daemons = new AsyncDisposableStack();
  const keep = (daemon: RunningProcess) => {
    daemons.defer(() => daemon.kill()); // everything is in memory: nothing to save
    return daemon;
  };
  const monitor = keep(await startMonitor(ceph));
  const store = keep(await startObjectStore(ceph));
  const gateway = keep(await startGateway(ceph));
  const keys = { accessKeyId: "zoetrope", secretAccessKey: randomBytes(20).toString("hex") };
  await createUser(ceph, keys);
  const settings = {
    ...keys,
    endpoint: `http://127.0.0.1:${ceph.gatewayPort}`,
    region: "default", // the name of the gateway's own zone group, which bucket creation compares
  };
  const running = daemons.move();
  const stop = () => running.disposeAsync();
  return {
    ...settings,
    get pids() {
      return [monitor.pid, store.pid, gateway.pid];
    },
    createBucket: (name) => createBucket(settings, name),
    kill: gateway.kill,
    restart: gateway.restart,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function prepare(dir: string): Promise<Ceph> {
  const programs = await findPrograms(PROGRAMS);
  const home = join(dir, "ceph");
  await rm(home, { recursive: true, force: true });
  for (const name of ["monitor", "store", "gateway"]) {
    await mkdir(join(home, name), { recursive: true });
  }
  const [monitorPort = 0, gatewayPort = 0] = await freePorts(2);
  const configFile = join(home, "ceph.conf");
  const ceph = { programs, home, monitorPort, gatewayPort, common: ["-c", configFile] };
  await writeFile(configFile, configText(ceph, randomUUID()));
  await writeFile(join(home, "keyring"), "");
  return ceph;
}

function configText({ home, monitorPort, gatewayPort }: Ceph, clusterId: string): string {
  return `[global]
fsid = ${clusterId}
mon host = v1:127.0.0.1:${monitorPort}
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
keyring = ${home}/keyring
mon data = ${home}/monitor
osd data = ${home}/store
run dir = ${home}
# One copy of everything on one store, in as few placement groups as there can be.
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon max pg per osd = 1000
osd crush chooseleaf type = 0
osd crush update on start = false
osd class update on start = false
osd objectstore = memstore
memstore device bytes = 4294967296
# Each of some twenty changes while starting otherwise waits up to a second for company.
paxos propose interval = 0.02
paxos min wait = 0.01
# Unix socket paths have a limit of 107 bytes, and nobody asks there.
admin socket =
debug rgw = 0
[client.rgw.a]
rgw data = ${home}/gateway
rgw frontends = beast endpoint=127.0.0.1:${gatewayPort}
`;
}

async function startMonitor(ceph: Ceph): Promise<RunningProcess> {
  const map = join(ceph.home, "monmap");
  const address = `[v1:127.0.0.1:${ceph.monitorPort}]`;
  await run(ceph, "monmaptool", ["--create", "--addv", "a", address, map]);
  const keyring = join(ceph.home, "keyring");
  await run(ceph, "ceph-mon", ["--mkfs", "-i", "a", "--monmap", map, "--keyring", keyring]);
  return startDaemon(ceph, "ceph-mon", ["-i", "a"], async () => {
    await run(ceph, "ceph", ["status"]);
    return true;
  });
}

async function startObjectStore(ceph: Ceph): Promise<RunningProcess> {
  const storeId = randomUUID();
  await sendToMonitor(ceph, ["osd", "new", storeId]);
  await sendToMonitor(ceph, ["osd", "crush", "add", "osd.0", "1.0", "root=default"]);
  await run(ceph, "ceph-osd", ["--mkfs", "-i", "0", "--osd-uuid", storeId]);
  return startDaemon(ceph, "ceph-osd", ["-i", "0"], async () => {
    const state: unknown = JSON.parse(await run(ceph, "ceph", ["osd", "stat", "-f", "json"]));
    return typeof state === "object" && state !== null && "num_up_osds" in state
      ? state.num_up_osds === 1
      : false;
  });
}

async function startGateway(ceph: Ceph): Promise<RunningProcess> {
  const url = `http://127.0.0.1:${ceph.gatewayPort}/`;
  return startDaemon(ceph, "radosgw", ["-n", "client.rgw.a"], answersHttp(url));
}

async function startDaemon(
  ceph: Ceph,
  program: "ceph-mon" | "ceph-osd" | "radosgw",
  args: readonly string[],
  isReady: ReadyProbe,
): Promise<RunningProcess> {
  return startProcess({
    name: program,
    command: ceph.programs[program],
    args: [...ceph.common, ...args, "-d"], // -d: stay in the foreground, log to stderr
    cwd: ceph.home,
    logFile: join(ceph.home, `${program}.log`),
    isReady,
  });
}

async function createUser(ceph: Ceph, keys: { accessKeyId: string; secretAccessKey: string }) {
  await run(ceph, "radosgw-admin", [
    "user",
    "create",
    "--uid=zoetrope",
    "--display-name=zoetrope",
    `--access-key=${keys.accessKeyId}`,
    `--secret=${keys.secretAccessKey}`,
  ]);
}

/**
 * Sends a command to the monitor. In one of a hundred calls on a busy machine the client speaks
 * before it has learnt the cluster's id and is refused (EPERM). The commands we use do no harm when
 * repeated.
 */
async function sendToMonitor(ceph: Ceph, args: readonly string[]): Promise<void> {
  const sent = async () => {
    await run(ceph, "ceph", args);
    return true;
  };
  await waitUntil(`Ceph's monitor accepts "${args.join(" ")}"`, sent, { timeoutMs: 120_000 });
}

async function run(ceph: Ceph, program: keyof Ceph["programs"], args: readonly string[]) {
  return runCommand(ceph.programs[program], [...ceph.common, ...args], { cwd: ceph.home });
}

async function createBucket(
  s3: Pick<S3, "endpoint" | "region" | "accessKeyId" | "secretAccessKey">,
  name: string,
): Promise<void> {
  const client = new S3Client({
    endpoint: s3.endpoint,
    region: s3.region,
    credentials: s3,
    forcePathStyle: true,
  });
  try {
    await client.send(new CreateBucketCommand({ Bucket: name }));
  } finally {
    client.destroy();
  }
}
