import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pollUntil } from "../../packages/testkit/src/api-client.ts";
import { type Compose, inOrder, type Service } from "./compose-file.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const startMsMax = 600_000;

export async function podman(...args: readonly string[]): Promise<string> {
  const { stdout } = await run("podman", args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}

/**
 * Starts the services as compose would. Of compose.yaml it leaves out logging, restarts, grace
 * periods and limits of open files; health checks are run here and not by a timer.
 */
export async function startServices(
  compose: Compose,
  options: readonly string[],
  onStart: (name: string, seconds: number) => void,
): Promise<void> {
  for (const [name, network] of Object.entries(compose.networks))
    await podman(
      "network",
      "create",
      ...(network?.internal ? ["--internal"] : []),
      of(compose, name),
    );
  for (const name of inOrder(compose.services)) {
    const service = compose.services[name];
    if (service === undefined) throw new Error(`there is no service ${name}`);
    const began = Date.now();
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {}))
      await meets(compose, other, condition);
    await podman("run", "--detach", ...argumentsOf(compose, name, service, options));
    onStart(name, (Date.now() - began) / 1000);
  }
}

export async function removeServices(compose: Compose, withVolumes: boolean): Promise<void> {
  for (const name of inOrder(compose.services).reverse())
    await podman("rm", "--force", "--ignore", "--time", "10", of(compose, name));
  for (const name of Object.keys(compose.networks))
    await podman("network", "rm", "--force", of(compose, name));
  for (const name of withVolumes ? Object.keys(compose.volumes) : [])
    await podman("volume", "rm", "--force", of(compose, name));
}

/** The name of a container, network or volume. */
export function of(compose: Compose, name: string): string {
  return `${compose.name}_${name}`;
}

async function meets(compose: Compose, name: string, condition: string): Promise<void> {
  switch (condition) {
    case "service_started":
      return;
    case "service_completed_successfully":
      return hasCompleted(compose, name);
    case "service_healthy":
      return isHealthy(compose, name);
    default:
      throw new Error(`unknown condition ${condition}`);
  }
}

/** `podman wait` forgets the exit code of a container after five minutes. */
async function hasCompleted(compose: Compose, name: string): Promise<void> {
  const read = () =>
    podman("inspect", "--format", "{{.State.Status}} {{.State.ExitCode}}", of(compose, name));
  const isOver = async () => (await read()).startsWith("exited ");
  await pollUntil(`${name} has ended`, isOver, { timeoutMs: startMsMax, intervalMs: 500 });
  const ended = await read();
  if (ended !== "exited 0") throw new Error(`${name} ${ended}: ${await logsOf(compose, name)}`);
}

export async function isHealthy(compose: Compose, name: string): Promise<void> {
  const [kind = "", ...command] = compose.services[name]?.healthcheck?.test ?? [];
  if (kind !== "CMD") throw new Error(`${name} has no health check`);
  const check = async () => {
    const state = await podman("inspect", "--format", "{{.State.Status}}", of(compose, name));
    if (state === "exited") throw new Error(`${name} has ended: ${await logsOf(compose, name)}`);
    return podman("exec", of(compose, name), ...command).then(
      () => true,
      () => false,
    );
  };
  await pollUntil(`${name} is healthy`, check, { timeoutMs: startMsMax, intervalMs: 500 });
}

export async function logsOf(compose: Compose, name: string): Promise<string> {
  const { stdout, stderr } = await run("podman", ["logs", of(compose, name)]);
  return stdout + stderr;
}

function argumentsOf(compose: Compose, name: string, service: Service, more: readonly string[]) {
  const { entrypoint, command = [], user, read_only, environment = {}, shm_size } = service;
  const each = (flag: string, values: readonly string[] = []) =>
    values.flatMap((value) => [flag, value]);
  return [
    "--name",
    of(compose, name),
    ...networkOf(compose, name, service),
    ...(read_only ? ["--read-only", "--read-only-tmpfs=false"] : []),
    ...(user === undefined ? [] : ["--user", user]),
    ...(shm_size === undefined ? [] : ["--shm-size", shm_size]),
    ...each("--cap-drop", service.cap_drop),
    ...each("--cap-add", service.cap_add),
    ...each("--security-opt", service.security_opt?.map(securityOption)),
    ...each("--tmpfs", service.tmpfs),
    ...each("--publish", service.ports),
    ...each(
      "--volume",
      service.volumes?.map((volume) => volumeOf(compose, volume)),
    ),
    ...Object.entries(environment).flatMap(([variable, value]) =>
      value === null ? [] : ["--env", `${variable}=${value}`],
    ),
    ...(entrypoint === undefined ? [] : ["--entrypoint", JSON.stringify(entrypoint)]),
    ...more,
    service.image,
    ...command,
  ];
}

function networkOf(compose: Compose, name: string, service: Service): string[] {
  const [, shared] = /^service:(.+)$/.exec(service.network_mode ?? "") ?? [];
  if (shared !== undefined) return ["--network", `container:${of(compose, shared)}`];
  if (service.network_mode !== undefined) return ["--network", service.network_mode];
  return (service.networks ?? []).flatMap((network) => [
    "--network",
    `${of(compose, network)}:alias=${name}`,
  ]);
}

/** A name is a volume of this deployment, a path is one of the repository. */
function volumeOf(compose: Compose, volume: string): string {
  return volume.startsWith("./") ? `${root}${volume.slice(2)}` : of(compose, volume);
}

/** Podman has another word for one of Docker's. */
function securityOption(option: string): string {
  return option === "systempaths=unconfined" ? "unmask=ALL" : option;
}
