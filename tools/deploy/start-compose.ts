import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createAdmin } from "../../packages/dev/src/open-admin.ts";
import { freePorts } from "../../packages/dev/src/services/ports.ts";
import { createClient } from "../../packages/testkit/src/api-client.ts";
import { print } from "../../packages/testkit/src/print.ts";
import { probeVideo } from "../../packages/testkit/src/probe-video.ts";
import { becomeOperator, openFirstAccount } from "./become-operator.ts";
import { readComposeFiles } from "./compose-file.ts";
import { isHealthy, logsOf, of, podman, removeServices, startServices } from "./podman.ts";

/**
 * Starts compose.yaml with deploy/compose.evaluation.yaml by podman, as root, and looks at what
 * docs/deploy.md promises: the order of the start, secrets that the first start mints and the second
 * one keeps, no password that is easy to guess, and a video from a worker that confines ffmpeg.
 *
 *   npm run -s compose -- [--image SERVICE=IMAGE]… [--option PODMAN_RUN_OPTION]…
 */
const { values: given } = parseArgs({
  options: {
    image: { type: "string", multiple: true, default: [] },
    option: { type: "string", multiple: true, default: [] },
  },
});
const ours = ["api", "worker", "sandbox"];
const [port = 0] = await freePorts(1);
const apiUrl = `http://127.0.0.1:${port}`;
const compose = await readComposeFiles(["compose.yaml", "deploy/compose.evaluation.yaml"], {
  PUBLIC_URL: apiUrl,
  API_PORT: String(port),
});
compose.name = `zoetrope${process.pid}`;
for (const one of given.image) {
  const [name = "", image = ""] = one.split("=", 2);
  const service = compose.services[name];
  if (service === undefined) throw new Error(`there is no service ${name}`);
  service.image = image;
}

try {
  await start();
  print(`first start minted ${(await minted()).length} secrets`);
  await guessPasswords();
  const key = await openAccount();
  print(await makeVideo(key));
  await lookInside();
  await removeServices(compose, false);
  await start();
  print(`second start minted ${(await minted()).length} secrets`);
  print(await makeVideo(key));
} catch (error) {
  for (const name of ["secrets", "postgres", "migrate", "engine", ...ours])
    print(`── ${name}\n${(await logsOf(compose, name).catch(String)).slice(-3_000)}`);
  throw error;
} finally {
  await removeServices(compose, true);
}

async function start(): Promise<void> {
  await startServices(compose, given.option, (name, seconds) =>
    print(`started ${name} seconds=${seconds.toFixed(1)}`),
  );
  for (const name of ours) await isHealthy(compose, name);
  print(`healthy ${ours.join(", ")}`);
}

async function minted(): Promise<string[]> {
  const { made } = JSON.parse(await logsOf(compose, "secrets")) as { made: string[] };
  return made;
}

/** Every way into PostgreSQL asks for a password, also from inside its container. */
async function guessPasswords(): Promise<void> {
  let refused = 0;
  for (const host of ["127.0.0.1", "/var/run/postgresql", "postgres"])
    for (const user of ["postgres", "zoetrope_owner", "zoetrope_app"])
      for (const password of ["", user, "postgres", "password", "zoetrope"]) {
        const address = ["--host", host, "--username", user, "--dbname", "zoetrope"];
        const attempt = podman(
          ...["exec", "--env", `PGPASSWORD=${password}`, of(compose, "postgres")],
          ...["psql", "--no-password", ...address, "--command", "select 1"],
        );
        const isRefused = await attempt.then(
          () => false,
          (error: unknown) => /password|authentication/.test(String(error)),
        );
        if (!isRefused) throw new Error(`${user} is let in by ${host}, or PostgreSQL is away`);
        refused += 1;
      }
  print(`passwords refused=${refused} accepted=0`);
}

async function openAccount(): Promise<string> {
  const command = ["person", "create-operator", "--email", "ada@example.com", "--json"];
  const program = ["zoetrope", "operator", ...command];
  const { link } = JSON.parse(await podman("exec", of(compose, "api"), ...program)) as {
    link: string;
  };
  return openFirstAccount(createAdmin(apiUrl, () => becomeOperator(apiUrl, link)));
}

async function makeVideo(key: string): Promise<string> {
  const began = Date.now();
  const client = createClient(apiUrl, key, { taskMsMax: 900_000, pollMs: 500 });
  const taskId = await client.create("sd2", { prompt: "A paper boat crosses a puddle" });
  const { output, ...ended } = await client.finished(taskId);
  const [file] = output ?? [];
  if (file === undefined) throw new Error(`no video: ${JSON.stringify(ended)}`);
  const took = Date.now() - began;
  const path = join(tmpdir(), `${compose.name}.mp4`);
  await writeFile(path, Buffer.from(await (await fetch(file.url)).arrayBuffer()));
  const { seconds, width, height, video } = await probeVideo(path);
  await rm(path);
  return `video_s=${seconds} width=${width} height=${height} video=${video} ms=${took}`;
}

/** Prints the permissions of the service's containers, seen from inside. */
async function lookInside(): Promise<void> {
  const look =
    'id -u; grep -E "^(CapEff|CapBnd|NoNewPrivs|Seccomp):" /proc/1/status; touch /app/x 2>&1; env | grep -cE "^(DATABASE_URL|VENDORS)=" || true';
  for (const name of ours) {
    const facts = await podman("exec", of(compose, name), "sh", "-c", look);
    print(`inside ${name}: ${facts.replaceAll(/\s+/g, " ")}`);
  }
  const isConfined = !(await logsOf(compose, "worker")).includes("confinement.missing");
  print(`worker confines ffmpeg=${isConfined}`);
  if (!isConfined) throw new Error("ffmpeg was not confined");
}
