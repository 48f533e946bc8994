import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));

const documents = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((path) => path !== "" && existsSync(join(root, path)));

/** Returns the anchors of headings as repository hosts make them. */
function anchorsOf(path: string): string[] {
  const headings = readFileSync(join(root, path), "utf8").matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-"),
  );
}

function linksOf(path: string): string[] {
  const text = readFileSync(join(root, path), "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) =>
    /^https?:/.test(target) ? [] : [target],
  );
}

function leadsSomewhere(from: string, link: string): boolean {
  const [file = "", anchor] = link.split("#");
  const path = file === "" ? from : join(dirname(from), file);
  if (!existsSync(join(root, path))) return false;
  return anchor === undefined || anchorsOf(path).includes(anchor);
}

test("every link from one document to another leads to a file and a heading that are there", () => {
  const links = documents.flatMap((from) => linksOf(from).map((link) => ({ from, link })));
  expect(links.length).toBeGreaterThan(20);
  const dead = links.filter(({ from, link }) => !leadsSomewhere(from, link));
  expect(dead).toEqual([]);
});

const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");

/** `suites/chaos/src/main.ts`, or a shorter form that the document's own folder or its layer makes plain. */
function isTracked(name: string): boolean {
  return tracked.some((path) => path === name || path.endsWith(`/${name}`));
}

function namesIn(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, "");
  return [...prose.matchAll(/`([\w./-]+\.(?:ts|sql|md))`/g)].flatMap(([, name = ""]) => name);
}

test("every file that a document names is there", () => {
  const named = documents.flatMap((from) =>
    namesIn(readFileSync(join(root, from), "utf8")).map((name) => ({ from, name })),
  );
  expect(named.length).toBeGreaterThan(80);
  const missing = named.filter(({ name }) => !isTracked(name.replace(/^\.\//, "")));
  expect(missing).toEqual([]);
});

test.each(["model", "vendor"])(
  "where to add a %s: the table and its page name the catalogue that the added fixture extends",
  (what) => {
    const architecture = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
    const page = readFileSync(join(root, `docs/adding-a-${what}.md`), "utf8");
    const proof = readFileSync(
      new URL("./added-model-and-vendor.test.ts", import.meta.url),
      "utf8",
    );
    const row = architecture.split("\n").find((line) => line.startsWith(`| a ${what} `)) ?? "";
    const catalogue = `${what}s/catalogue.ts`;
    expect(namesIn(row)).toEqual([catalogue]);
    expect(row).toContain(`(./docs/adding-a-${what}.md)`);
    expect(page).toContain(`(../packages/server/src/${catalogue})`);
    expect(proof).toContain(`from "../src/${catalogue}"`);
  },
);
