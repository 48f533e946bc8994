import { expect, test } from "vitest";
import { readTypes, renderSdkTypes, written } from "./write-sdk-types.ts";

test.each(written)(
  "$types is what $document says; if not, run `npm run sdk-types`",
  async ({ document, types }) => {
    expect(await readTypes(types)).toBe(await renderSdkTypes(document));
  },
);
