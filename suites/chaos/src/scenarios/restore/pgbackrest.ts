import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { geteuid } from "node:process";
import { runCommand } from "@zoetrope/dev/services/command-line.ts";
import { findPrograms } from "@zoetrope/dev/services/find-program.ts";

const stanza = "zoetrope";
const commandMsMax = 600_000;

/** A repository of backups in a folder; with object storage only the `repo1` lines of its settings differ. */
export interface BackupRepository {
  /** The settings with which the server hands over every finished piece of its log. */
  readonly postgresSettings: Readonly<Record<string, string | number>>;
  /** Makes the repository and the first full backup, once the server runs. */
  backUp(port: number): Promise<void>;
  /** Into an empty data directory, of a server that does not run. */
  restore(point: string): Promise<void>;
}

/** `postgresDir`: what the server was or will be started with. */
export async function openRepository(dir: string, postgresDir: string): Promise<BackupRepository> {
  const { pgbackrest } = await findPrograms(["pgbackrest"]);
  const user = geteuid?.() === 0 ? "postgres" : undefined; // as whom the server runs
  const configFile = join(dir, "pgbackrest.conf");
  const dataDir = join(postgresDir, "data");
  await mkdir(join(dir, "lock"), { recursive: true });
  await writeConfig(5432);
  if (user !== undefined) await runCommand("chown", ["-R", `${user}:`, dir]);

  async function writeConfig(port: number): Promise<void> {
    const text = `[global]
repo1-path=${join(dir, "repo")}
repo1-retention-full=2
log-level-file=off
log-level-console=warn
lock-path=${join(dir, "lock")}
start-fast=y
compress-type=lz4

[${stanza}]
pg1-path=${dataDir}
pg1-socket-path=${postgresDir}
pg1-port=${port}
pg1-user=postgres
`;
    await writeFile(configFile, text);
  }

  const run = (...args: string[]) =>
    runCommand(pgbackrest, [`--config=${configFile}`, `--stanza=${stanza}`, ...args], {
      user,
      cwd: dir,
      timeoutMs: commandMsMax,
    });
  return {
    postgresSettings: {
      wal_level: "replica",
      archive_mode: "on",
      archive_command: `${pgbackrest} --config=${configFile} --stanza=${stanza} archive-push %p`,
      archive_timeout: 60,
    },
    async backUp(port) {
      await writeConfig(port);
      await run("stanza-create");
      await run("backup", "--type=full");
    },
    async restore(point) {
      await rm(dataDir, { recursive: true, force: true });
      await mkdir(dataDir, { mode: 0o700 });
      if (user !== undefined) await runCommand("chown", [`${user}:`, dataDir]);
      await run("restore", "--type=time", `--target=${point}`, "--target-action=promote");
    },
  };
}
