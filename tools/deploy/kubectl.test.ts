import { expect, test } from "vitest";
import { overlayNames, readRendered, renderOverlay } from "./render.ts";

test.for(overlayNames)(
  "the rendered manifests of %s are what kubectl makes of them",
  async (name) => {
    const { objects } = await readRendered(name);
    expect(objects).toEqual(await renderOverlay(name));
  },
);
