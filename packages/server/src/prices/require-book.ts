import { invalid } from "../errors.ts";
import type { PriceBooks } from "./price-books.ts";

/** Refuses a book from which nothing can be bought now. Without a name it is that of the deployment. */
export async function requireBook(
  { prices }: { prices: PriceBooks },
  book: string | null | undefined,
): Promise<void> {
  if (book == null || (await prices.inForce(book)) !== undefined) return;
  await prices.refresh(); // it may have been made a moment ago
  if ((await prices.inForce(book)) !== undefined) return;
  const names = [...prices.current().keys()].join(", ");
  throw invalid("priceBook", `must be a book with a version in force: ${names}`);
}
