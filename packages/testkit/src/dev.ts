import { once } from "node:events";
import { print } from "./print.ts";
import { findPrograms } from "./services/find-program.ts";
import { freePort } from "./services/ports.ts";
import { makeScratch } from "./services/scratch.ts";
import { startStack } from "./stack.ts";

const credits = 10_000;
/** By the vendor that the sandbox plays: no person sits there to decide. */
const reviews = { REVIEW_IMAGE: "vendor", REVIEW_VIDEO: "vendor", REVIEW_AUDIO: "vendor" };

const interrupted = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
try {
  await findPrograms(["initdb", "postgres", "restate-server", "ffmpeg", "ffprobe"]);
  await using scratch = await makeScratch("dev");
  await using stack = await startStack({
    dir: scratch.path,
    apiPort: await freePort(),
    serverEnv: { POLL_FIRST_MS: "3000", ...reviews },
    sandboxEnv: { SANDBOX_DRAFT: "false" },
    onProgress: (what) => print(`Starting ${what} …`),
  });
  const { key } = await stack.openAccount({ name: "first account", credits });
  print(welcome(stack.apiUrl, key));
  await interrupted;
  print("\nStopping …");
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

function welcome(apiUrl: string, key: string): string {
  const prompt = "A paper boat crosses a puddle at dusk, slow and low to the water";
  const body = JSON.stringify({ model: "sd2", inputs: { prompt } });
  const auth = `-H 'Authorization: Bearer ${key}'`;
  return `
Zoetrope is running, with a sandbox in place of the vendors. Everything is gone after Ctrl-C.

  url      ${apiUrl}
  key      ${key}
  credits  ${credits}

Make a video (5 s, 30 credits):

  curl -s ${apiUrl}/api/v1/jobs/createTask ${auth} -H 'Content-Type: application/json' -d '${body}'

Ask for it with the taskId of the answer; after a few seconds it has an output with a url:

  curl -s '${apiUrl}/api/v1/jobs/queryTask?taskId=TASK_ID' ${auth}
`;
}
