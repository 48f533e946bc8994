import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { printsLine, startProcess } from "@zoetrope/dev/services/process.ts";
import { serverPackage } from "@zoetrope/dev/start-server.ts";
import type { Scenario } from "./scenario.ts";

const run = promisify(execFile);

/** A worker whose folder for temporary files is a separate file system, in a separate namespace. */
export const diskFull: Scenario = {
  breaks: "the disk of a worker shrinks to 1 GiB",
  alert: "WorkerDiskLow",
  async run({ dir, stack, alsoScrape }) {
    const disk = join(dir, "disk");
    await mkdir(disk);
    const opsPort = String(await freePort());
    const mount = `mount -t tmpfs -o size=20g tmpfs ${disk} && exec "$@"`;
    const server = [process.execPath, join(serverPackage, "src/main.ts"), "worker"];
    const { RESTATE_ADMIN_URL: _, WORKER_URL: __, ...shared } = stack.serverEnv;
    const own = { WORKER_PORT: String(await freePort()), WORK_DIR: disk, OPS_PORT: opsPort };
    const worker = await startProcess({
      name: "worker with a small disk",
      command: "unshare",
      args: ["--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh", ...server],
      env: { ...shared, ...own },
      logFile: join(dir, "logs", "small-disk.log"),
      isReady: printsLine(/"event":"process\.started"/),
    });
    const resize = (size: string) =>
      run("nsenter", [
        "--target",
        String(worker.pid),
        "--user",
        "--mount",
        "--preserve-credentials",
        "mount",
        "-o",
        `remount,size=${size}`,
        disk,
      ]);
    await alsoScrape(`127.0.0.1:${opsPort}`);
    await resize("1g");
    return { repair: () => resize("20g"), end: () => worker.stop() };
  },
};
