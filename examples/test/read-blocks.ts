import { readFile } from "node:fs/promises";

const root = new URL("../../", import.meta.url);

/** The code block in this language below a heading of a page; there is one. */
export async function readBlock(page: string, heading: string, language: string): Promise<string> {
  const text = await readFile(new URL(page, root), "utf8");
  const [, after] = text.split(new RegExp(`^#+ ${heading}$`, "m"));
  const section = after?.split(/^#{2,3} /m)[0] ?? "";
  const pattern = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "gm");
  const [block, ...more] = [...section.matchAll(pattern)].map(([, code = ""]) => code);
  if (block === undefined || more.length > 0)
    throw new Error(`${page}, ${heading}: not one block in ${language}`);
  return block;
}
