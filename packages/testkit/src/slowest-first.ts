import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A sequencer: files whose paths end like these begin first, so that nothing long is left at the end. */
export function slowestFirst(endings: readonly string[]) {
  const placeOf = ({ moduleId }: TestSpecification) => {
    const place = endings.findIndex((ending) => moduleId.endsWith(ending));
    return place === -1 ? endings.length : place;
  };
  return class SlowestFirst extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
    }
  };
}
