import { glob, readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";

export interface Import {
  /** A file named from the root, or a package as it is written. */
  target: string;
  line: number;
}

const folders = ["packages", "suites", "tools"];
const forms = [
  /^(?:import|export)\b[^;"']*?\bfrom "([^"]+)"/gm,
  /^import "([^"]+)"/gm,
  /\bimport\("([^"]+)"\)/g,
];

/** The sources below a root, each with what it imports, types included. */
export async function readImports(root: string): Promise<Map<string, Import[]>> {
  const imports = new Map<string, Import[]>();
  const exclude = (name: string) => name.endsWith("node_modules");
  const sources = [`{${folders.join(",")}}/**/*.ts`, "packages/*/src/**/*.js"];
  for await (const file of glob(sources, { cwd: root, exclude }))
    imports.set(file, findImports(file, await readFile(join(root, file), "utf8")));
  return imports;
}

function findImports(file: string, text: string): Import[] {
  return forms.flatMap((form) =>
    [...text.matchAll(form)].map(({ index, 0: match, 1: specifier = "" }) => ({
      target: specifier.startsWith(".") ? normalize(join(dirname(file), specifier)) : specifier,
      line: text.slice(0, index + match.length).split("\n").length,
    })),
  );
}
