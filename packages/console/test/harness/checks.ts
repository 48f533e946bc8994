import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

interface Axe {
  run(
    root: Document,
    options: object,
  ): Promise<{ violations: { id: string; help: string; nodes: { html: string }[] }[] }>;
}

/**
 * Returns the faults that axe finds on the page as it is now, and whether the page is wider than
 * the window.
 */
export async function findFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  const violations = await page.evaluate(async (tags) => {
    const { axe } = window as unknown as { axe: Axe };
    const found = await axe.run(document, { runOnly: tags, resultTypes: ["violations"] });
    return found.violations.map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" | ")}`,
    );
  }, rules);
  const overflow = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth ? [`the page is ${scrollWidth} of ${clientWidth} wide`] : [];
  });
  return [...violations, ...overflow];
}
