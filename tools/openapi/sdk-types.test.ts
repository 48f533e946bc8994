import { expect, test } from "vitest";
import { readModule, written } from "./write-sdk-types.ts";

test.each(Object.entries(written))(
  "%s is what the OpenAPI document says; if not, run `npm run generate`",
  async (path, render) => {
    expect(await readModule(path)).toBe(await render());
  },
);
