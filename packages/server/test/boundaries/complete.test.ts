import { expect, test } from "vitest";
import { models } from "../../src/models/catalogue.ts";
import { fileRulesOf } from "../../src/models/model.ts";
import { requireModel } from "../../src/models/plan-request.ts";
import { boundaries } from "./boundaries.ts";
import type { FileInput } from "./boundary.ts";
import { counts } from "./counts.ts";

const inputs: FileInput["input"][] = ["urls", "videoUrls", "audioUrls"];

/** Every list of files of every mode, found in the catalogue. */
const places = models.flatMap(({ name: model, modes }) =>
  modes.flatMap((mode) =>
    inputs
      .filter((input) => Object.hasOwn(mode.inputs.shape, input))
      .map((input): FileInput => ({ model, mode: mode.name, input })),
  ),
);
const nameOf = ({ model, mode, input }: FileInput) => `${model} ${mode} ${input}`;

test("the catalogue has places for files: 14 of them", () => {
  expect(places.map(nameOf)).toHaveLength(14);
});

test.each(places.map((place) => [nameOf(place), place] as const))(
  "%s: every rule has files on both sides of it",
  (name, place) => {
    const rows = boundaries.filter((row) => nameOf(row) === name);
    const tried = new Set(rows.map(({ rule }) => rule));
    const rules = Object.keys(
      fileRulesOf(requireModel(models, place.model), place.mode, place.input),
    );
    expect([...tried]).toEqual(expect.arrayContaining(rules));
    expect(rules.length).toBeGreaterThan(0);
    for (const { taken, refused } of rows)
      expect([taken.length > 0, refused.length > 0]).toEqual([true, true]);
  },
);

test.each(places.map((place) => [nameOf(place), place] as const))(
  "%s: what may be named by its address is limited in size and format",
  (name, { input }) => {
    const rows = boundaries.filter((row) => nameOf(row) === name && row.via.includes("address"));
    const rules = new Set(rows.map(({ rule }) => rule));
    if (input === "videoUrls") expect(rules).toEqual(new Set());
    else expect([...rules]).toEqual(expect.arrayContaining(["sizeMegabytesMax", "formats"]));
  },
);

test.each(places.map((place) => [nameOf(place), place] as const))(
  "%s: the number of files is limited",
  (_, { model, mode, input }) => {
    const rows = counts.filter((row) => row.model === model && row.mode === mode);
    expect(rows.some(({ param }) => param === `inputs.${input}`)).toBe(true);
  },
);

test("every row is about a place that there is", () => {
  const known = places.map(nameOf);
  for (const row of boundaries) expect(known).toContain(nameOf(row));
  for (const row of counts)
    expect(known.some((name) => name.startsWith(`${row.model} ${row.mode} `))).toBe(true);
});
