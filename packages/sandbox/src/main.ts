import { readConfig } from "./config.ts";
import { startSandbox } from "./server.ts";

const sandbox = await startSandbox(readConfig());
const { url, linkUrl } = sandbox;
process.stdout.write(`${JSON.stringify({ event: "sandbox.listening", url, linkUrl })}\n`);

let stopping = false;

async function stop() {
  if (stopping) return;
  stopping = true;
  await sandbox.stop();
  process.exit(0);
}

process.on("SIGTERM", () => void stop());
process.on("SIGINT", () => void stop());
