import { expect, test } from "vitest";
import { loadCommands } from "./command-groups.ts";

test("every command is found by its first word alone", async () => {
  const all = Object.keys(await loadCommands(undefined));
  expect(all.length).toBeGreaterThan(10);
  for (const name of all) {
    const [noun] = name.split(" ");
    expect(Object.keys(await loadCommands(noun))).toContain(name);
  }
});
