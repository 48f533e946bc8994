import { startStack } from "@zoetrope/dev/stack.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { recordGenerate, writeRecording } from "./record-generate.ts";
import { openHome } from "./start-cli.ts";

/** Records the terminal run of the README again: its text and its image. */
await using scratch = await makeScratch("recording");
await using stack = await startStack({
  dir: scratch.path,
  serverEnv: { POLL_FIRST_MS: "3000" },
  sandboxEnv: { SANDBOX_DRAFT: "false" },
});
const { key } = await stack.openAccount({ name: "recording", credits: 10_000 });
const env = { ZOETROPE_API_KEY: key, ZOETROPE_BASE_URL: stack.apiUrl };
await writeRecording(await recordGenerate({ home: await openHome(scratch.path, "home"), env }));
