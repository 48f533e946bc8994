import { chmod, mkdir, realpath, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { buildConsole } from "./build-console.ts";
import { checkMachine } from "./check-machine.ts";
import { claimDir } from "./claim-dir.ts";
import { openDevState } from "./dev-state.ts";
import { findPackagesDir } from "./find-packages.ts";
import { createMoreKeys } from "./first-keys.ts";
import { inviteFirstPerson } from "./first-person.ts";
import { packClients } from "./pack-clients.ts";
import type { RunningProcess } from "./services/process.ts";
import { type Stack, startStack } from "./stack.ts";
import { welcome } from "./welcome.ts";

export interface DevOptions {
  /** Holds all data and the key; `.zoetrope` here unless given. */
  readonly dir?: string | undefined;
  /** The port of the api. Default: a free one that stays the same at every start. */
  readonly port?: string | undefined;
  /** Ends it. */
  readonly signal: AbortSignal;
}

interface Started extends AsyncDisposable {
  readonly stack: Stack;
  readonly text: string;
}

const credits = 10_000;
const reviewSettings = ["REVIEW_IMAGE", "REVIEW_VIDEO", "REVIEW_AUDIO"] as const;

/**
 * Returns the review settings: unless the environment says otherwise, the vendor that the sandbox
 * plays decides, because no person is there to do it.
 */
function readReviews(): Record<string, string> {
  // biome-ignore lint/style/noProcessEnv: handed on to the service
  return Object.fromEntries(reviewSettings.map((name) => [name, process.env[name] ?? "vendor"]));
}

/**
 * Runs the whole service until it is interrupted and returns the exit code. Prints a sentence for
 * each missing requirement. Whatever way this process ends, its children end with it.
 */
export async function runDev(options: DevOptions): Promise<number> {
  const interrupted = whenAborted(options.signal);
  const { faults, notices } = await checkMachine();
  for (const sentence of [...faults, ...notices]) complain(sentence);
  if (faults.length > 0) return 1;
  try {
    const started = await Promise.race([startDev(options), interrupted]);
    if (started === "interrupted") process.exit(130); // nothing to drain yet
    await using dev = started;
    say(dev.text);
    const ended = await Promise.race([interrupted, anyEnd(dev.stack)]);
    if (ended !== "interrupted") complain(`${ended.name} has ended; its log is ${ended.logFile}`);
    say("Stopping …");
    return ended === "interrupted" ? 0 : 1;
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

function whenAborted(signal: AbortSignal): Promise<"interrupted"> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve("interrupted");
    signal.addEventListener("abort", () => resolve("interrupted"));
  });
}

async function startDev(options: DevOptions): Promise<Started> {
  const dir = await prepareDir(resolve(options.dir ?? ".zoetrope"));
  await using started = new AsyncDisposableStack();
  started.use(await claimDir(dir));
  const state = await openDevState(dir, options.port);
  // Browsers keep the session's cookie, which is for https alone, on this name too.
  const url = `http://localhost:${state.ports.api}`;
  const building = buildConsole(() => say("Building the console …")).catch((error: Error) => {
    complain(error.message);
    return false;
  });
  const stack = started.use(
    await startStack({
      dir,
      ports: state.ports,
      serverEnv: {
        POLL_FIRST_MS: "3000",
        PUBLIC_URL: url,
        PACKAGES_DIR: findPackagesDir(),
        ...readReviews(),
        ...state.secrets,
      },
      sandboxEnv: { SANDBOX_DRAFT: "false" },
      onProgress: (what) => say(`Starting ${what} …`),
    }),
  );
  const key = state.key ?? (await openFirstAccount(stack));
  const moreKeys = state.moreKeys ?? (await createMoreKeys(stack, key));
  await state.saveKeys(key, moreKeys);
  const hasConsole = await building;
  const link = hasConsole ? await inviteFirstPerson(stack, key) : null;
  const envFile = join(dir, "env");
  await writeFile(envFile, `export ZOETROPE_BASE_URL=${url} ZOETROPE_API_KEY=${key}\n`, {
    mode: 0o600,
  });
  started.use(packInBackground());
  const everything = started.move();
  return {
    stack,
    text: welcome({ url, key, moreKeys, dir, envFile: shortest(envFile), hasConsole, link }),
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}

/** After everything has started: it takes the processors for a minute, and nobody waits for it. */
function packInBackground(): AsyncDisposable {
  const stopping = new AbortController();
  const dir = findPackagesDir();
  const packing = packClients({
    dir,
    signal: stopping.signal,
    onPack: () => say("Packing the clients, to be served at /packages …"),
  }).catch((error: Error) => complain(error.message));
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await packing;
    },
  };
}

async function openFirstAccount(stack: Stack): Promise<string> {
  const { key } = await stack.openAccount({ name: "first account", credits });
  return key;
}

/** Git leaves it out wherever it is. PostgreSQL, which does not run as root, passes through it as another user. */
async function prepareDir(dir: string): Promise<string> {
  await mkdir(dir, { recursive: true });
  await chmod(dir, 0o711);
  await writeFile(join(dir, ".gitignore"), "*\n");
  return realpath(dir);
}

/** The first part that ends although nobody stopped it. */
function anyEnd({ postgres, restate, sandbox, api, worker }: Stack): Promise<RunningProcess> {
  return Promise.race(
    [postgres, restate, sandbox, api, worker].map((part) => part.exited.then(() => part)),
  );
}

function shortest(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith("..") ? path : fromHere;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function complain(text: string): void {
  process.stderr.write(`${text}\n`);
}
