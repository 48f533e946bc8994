import { join } from "node:path";
import { PassThrough } from "node:stream";
import {
  type Confinement,
  confinedPath,
  confinedProgram,
  runConfined,
} from "../media/probe/confine.ts";
import { loadSigner } from "./load-signer.ts";
import { type Line, lineSchema } from "./manifest.ts";

type Question = Extract<Line, { ask: unknown }>;
export type Outcome = Exclude<Line, Question>;

interface Run {
  /** The local files that it reads, by the name in the request. */
  inputs: Record<string, string>;
  /** A folder of its own, which it may write to. */
  outputDir?: string;
  /** Returns the request, with files by their paths for the program. */
  request(pathOf: (folder: "in" | "out", name: string) => string): object;
  /** Answers a question; without it none is allowed. */
  answer?(ask: Question["ask"], bytes: Buffer): Promise<Buffer>;
  signal?: AbortSignal | undefined;
}

/** The program ended without an outcome: it crashed on its input, or met one of its limits. */
export class SignerEnded extends Error {}

const msMax = 300_000;
const memoryBytesMax = 1_500 * 1024 * 1024;
const fileBytesMax = 2 * 1024 * 1024 * 1024;
const stdoutBytesMax = 512 * 1024;
/** A signature and a time stamp, twice if the parent cannot be read. */
const questionsMax = 4;
const [nodePath, packagePath] = ["/app/node", "/app/signer"];

/**
 * Runs the program on files that may be a stranger's: confined, without network, environment or keys. It asks
 * this process to sign and to call the time-stamp authority.
 */
export async function runSigner({
  inputs,
  outputDir,
  request,
  answer,
  signal,
}: Run): Promise<Outcome> {
  const { program } = await loadSigner();
  const stdin = new PassThrough();
  const failed = new AbortController();
  const within: Confinement = {
    inputs,
    programs: { [nodePath]: process.execPath, [packagePath]: program.dir },
    stdin,
    ...(outputDir === undefined ? {} : { outputDir }),
    reservesMemory: true,
    msMax,
    memoryBytesMax,
    fileBytesMax: outputDir === undefined ? 0 : fileBytesMax,
    stdoutBytesMax,
    signal: signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]),
  };
  const pathOf = (folder: "in" | "out", name: string) => confinedPath(within, folder, name);
  const lines = readLines(answer, (line) => stdin.write(line), failed);
  stdin.write(`${JSON.stringify(request(pathOf))}\n`);
  const ended = await runConfined(
    "/usr/bin/env",
    [
      // Of threads as of processes it may have few, however many processors there are.
      "TOKIO_WORKER_THREADS=2",
      "RAYON_NUM_THREADS=2",
      ...(outputDir === undefined ? [] : [`TMPDIR=${pathOf("out", ".")}`]),
      confinedProgram(within, nodePath),
      join(confinedProgram(within, packagePath), program.path),
    ],
    within,
    lines.read,
  ).finally(() => stdin.destroy());
  if (failed.signal.aborted) throw failed.signal.reason;
  signal?.throwIfAborted();
  const outcome = lines.outcome();
  if (outcome !== null) return outcome;
  throw new SignerEnded(`the signer ended early (${ended.exitCode}): ${ended.complaint.trim()}`);
}

function readLines(answer: Run["answer"], write: (line: string) => void, failed: AbortController) {
  let outcome: Outcome | null = null;
  let questions = 0;
  return {
    outcome: () => outcome,
    read(line: string): void {
      const { data } = lineSchema.safeParse(
        parseJson(Buffer.from(line, "latin1").toString("utf8")),
      );
      if (data === undefined) failed.abort(new SignerEnded("the signer wrote an unknown line"));
      else if ("ask" in data) ask(data);
      else outcome = data;
    },
  };

  function ask({ ask, bytes }: Question): void {
    questions += 1;
    if (answer === undefined || questions > questionsMax)
      failed.abort(new SignerEnded("the signer asked too much"));
    else
      answer(ask, Buffer.from(bytes, "base64")).then(
        (answered) => write(`${JSON.stringify({ bytes: answered.toString("base64") })}\n`),
        (error) => failed.abort(error),
      );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
