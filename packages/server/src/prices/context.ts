import type { SwitchesContext } from "../switches/context.ts";
import type { PriceBooks } from "./price-books.ts";

/** The context of everything that is priced. */
export interface PricesContext extends SwitchesContext {
  /** The price books, as this process last read them. */
  prices: PriceBooks;
}
