import { appendFile } from "node:fs/promises";

/** The figures that a run measured. `npm run console-test` names the file and prints them. */
export type Figures = Partial<
  Record<"jsKb" | "requestsPerPageMax" | "journeys" | "contentMs", number>
>;

// biome-ignore lint/style/noProcessEnv: set by `npm run console-test`
const path = process.env["CONSOLE_FIGURES"];

export async function noteFigures(figures: Figures): Promise<void> {
  if (path !== undefined) await appendFile(path, `${JSON.stringify(figures)}\n`);
}
