import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));

const documents = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((path) => path !== "" && existsSync(join(root, path)));

/** As hosts of repositories make anchors of headings. */
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
