import type { Import } from "./imports.ts";
import { fences, layers } from "./layers.ts";

type Imports = ReadonlyMap<string, readonly Import[]>;

const source = "packages/server/src/";
const isTest = (file: string) => file.endsWith(".test.ts") || file.includes("/test/");

/** Imports that point up or through a fence, one sentence each. */
export function findUpward(imports: Imports): string[] {
  const faults: string[] = [];
  for (const [file, list] of imports)
    if (!isTest(file))
      for (const { target, line } of list) {
        const why = whyRefused(file, target);
        if (why !== null) faults.push(`${file}:${line} imports ${target}: ${why}`);
      }
  return faults.sort();
}

function whyRefused(file: string, target: string): string | null {
  for (const { files, never, except, why } of fences)
    if (files.test(file) && never.test(target) && except?.test(file) !== true) return why;
  if (!file.startsWith(source) || !target.startsWith(source)) return null;
  const from = placeOf(file);
  const to = placeOf(target);
  if (from.layer < 0) return `${from.name} is in no layer; add it to tools/layers.ts`;
  if (from.name === to.name || from.layer < to.layer) return null;
  return `${to.name} is not below ${from.name}`;
}

/** The folder or file of the table that a file belongs to; layer 0 is the top. */
function placeOf(file: string): { name: string; layer: number } {
  const [name = ""] = file.slice(source.length).split("/");
  return { name, layer: layers.findIndex((entries) => entries.includes(name)) };
}

/** Groups of files that import each other in a circle, types included (Tarjan's algorithm). */
export function findCycles(imports: Imports): string[][] {
  const state = new Map<string, { index: number; low: number; isOpen: boolean }>();
  const open: string[] = [];
  const cycles: string[][] = [];

  function visit(file: string): { index: number; low: number; isOpen: boolean } {
    const own = { index: state.size, low: state.size, isOpen: true };
    state.set(file, own);
    open.push(file);
    for (const { target } of imports.get(file) ?? []) {
      if (!imports.has(target)) continue;
      const seen = state.get(target);
      if (seen === undefined) own.low = Math.min(own.low, visit(target).low);
      else if (seen.isOpen) own.low = Math.min(own.low, seen.index);
    }
    if (own.low === own.index) {
      const group = open.splice(open.indexOf(file));
      for (const name of group) (state.get(name) ?? own).isOpen = false;
      if (group.length > 1) cycles.push(group.sort());
    }
    return own;
  }

  for (const file of imports.keys()) if (!state.has(file)) visit(file);
  return cycles;
}
