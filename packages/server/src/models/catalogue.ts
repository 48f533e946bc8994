import { happyhorse } from "./happyhorse.ts";
import { imagePlus2 } from "./image-plus-2.ts";
import { imagePro2 } from "./image-pro-2.ts";
import type { Model } from "./model.ts";
import { sd2 } from "./sd2.ts";
import { sd2Fast } from "./sd2-fast.ts";

/** Every model that is offered, in the order in which they are shown. */
export const models: readonly Model[] = [sd2, sd2Fast, happyhorse, imagePro2, imagePlus2];
