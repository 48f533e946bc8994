import { existsSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readAnchors, readLinks } from "./markdown-links.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const leftOut = new Set(["node_modules", "dist", "reports", "coverage"]);

async function brokenLinks(dir: string): Promise<string[]> {
  const broken: string[] = [];
  const exclude = (name: string) => leftOut.has(name.split("/").at(-1) ?? "");
  for await (const page of glob("**/*.md", { cwd: dir, exclude })) {
    const path = join(dir, page);
    const text = await readFile(path, "utf8");
    for (const link of readLinks(text)) {
      const target = link.path === "" ? path : join(dirname(path), link.path);
      const name = `${page}: ${link.path}${link.anchor === "" ? "" : `#${link.anchor}`}`;
      if (!existsSync(target) || relative(dir, target).startsWith("..")) broken.push(name);
      else if (link.anchor !== "" && target.endsWith(".md")) {
        const anchors = readAnchors(await readFile(target, "utf8"));
        if (!anchors.has(link.anchor)) broken.push(name);
      }
    }
  }
  return broken;
}

test("every link from one page to a file, or to a heading, leads somewhere", async () => {
  expect(await brokenLinks(root)).toEqual([]);
});

test("links and anchors are read as GitHub reads them", () => {
  const page = [
    "# Title",
    "## POST /api/v1/jobs/createTask",
    "## `GET /x?id=…`",
    "## Twice, `code` & [a link](./b.md)",
    "## Title",
    "See [one](./a.md#two), [here](#title-1) and [elsewhere](https://example.com).",
    "`[not](./code.md)`",
    "```md",
    "# Not a heading",
    "[not](./block.md)",
    "```",
    "[named]: ./named.md",
  ].join("\n");
  expect([...readAnchors(page)]).toEqual([
    "title",
    "post-apiv1jobscreatetask",
    "get-xid",
    "twice-code--a-link",
    "title-1",
  ]);
  const links = readLinks(page).map(({ path, anchor }) => [path, anchor]);
  expect(links).toEqual([
    ["./b.md", ""],
    ["./a.md", "two"],
    ["", "title-1"],
    ["./named.md", ""],
  ]);
});
