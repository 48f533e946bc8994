import type { Texts } from "../texts.ts";
import { assets } from "./assets.ts";
import { developers } from "./developers.ts";
import { frame } from "./frame.ts";
import { gallery } from "./gallery.ts";
import { money } from "./money.ts";
import { operations } from "./operations.ts";
import { playground } from "./playground.ts";
import { prices } from "./prices.ts";
import { review } from "./review.ts";
import { start } from "./start.ts";
import { team } from "./team.ts";
import { verify } from "./verify.ts";

export const texts: Texts = {
  frame,
  assets,
  developers,
  gallery,
  money,
  operations,
  playground,
  prices,
  review,
  start,
  team,
  verify,
};
