import { runScenario } from "./scenario.ts";
import type { CheckLine, Settings } from "./settings.ts";

declare global {
  /** Given by what opened the page; null says that there is no other line. */
  var reportLine: (line: CheckLine | null) => Promise<void>;
}

const response = await fetch("./settings.json");
const settings = (await response.json()) as Settings;
await runScenario(settings, (line) => void globalThis.reportLine(line));
await globalThis.reportLine(null);
