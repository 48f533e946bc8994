import type { PriceTerms } from "../accounts/queries.ts";
import { ApiError } from "../errors.ts";
import type { Model } from "../models/model.ts";
import type { Rates } from "../models/rates.ts";
import type { PricesContext } from "./context.ts";
import { ratesIn } from "./document.ts";
import type { PriceVersion } from "./price-books.ts";

/** What prices a task that is accepted between two moments. */
export interface Pricing {
  version: PriceVersion;
  discount: number;
  /** The book of the account's row that was read; `null`: none. */
  accountBook: string | null;
  from: Date;
  until: Date | null;
}

/** When it is accepted, and the version by which the caller wants to pay. */
export interface PricedAt {
  /** `null`: now. */
  at: Date | null;
  priceVersion?: string | null | undefined;
}

/** A version that was quoted can be paid for so long after its end. */
const graceMs = 15 * 60_000;

/** The pricing of an account's next task: by the version that is in force, or the one that was quoted. */
export async function findPricing(
  ctx: Pick<PricesContext, "prices" | "config">,
  terms: PriceTerms,
  { at, priceVersion }: PricedAt,
): Promise<{ pricing: Pricing; isOutdated: boolean }> {
  const { prices, config } = ctx;
  const book = terms.priceBook ?? config.tasks.priceBook;
  const inForce = await prices.inForce(book, at);
  if (inForce === undefined) throw new ApiError("model_not_in_price_book");
  const time = at ?? prices.now();
  const pricingBy = (version: PriceVersion, endsAt: Date | null): Pricing => ({
    version,
    discount: discountAt(terms, time),
    accountBook: terms.priceBook,
    from: version.validFrom,
    until: endsAt,
  });
  if (priceVersion == null)
    return { pricing: pricingBy(inForce, inForce.endsAt), isOutdated: false };
  const versions = prices.current().get(book) ?? [];
  const quoted = versions.find(({ id, validFrom }) => id === priceVersion && validFrom <= time);
  const until = quoted?.endsAt == null ? null : new Date(quoted.endsAt.getTime() + graceMs);
  if (quoted === undefined || (until !== null && until <= time))
    return { pricing: pricingBy(inForce, inForce.endsAt), isOutdated: true };
  return { pricing: pricingBy(quoted, until), isOutdated: false };
}

/** The discount at a time: none from its end on. */
export function discountAt({ discount }: PriceTerms, time: Date): number {
  return discount != null && discount.until > time.getTime() ? discount.basisPoints : 0;
}

/** The rates of a model in a version. Refuses a model that the book does not have. */
export function requireRates(
  { version }: Pick<Pricing, "version">,
  model: Pick<Model, "name" | "rateKeys">,
): Rates {
  const rates = ratesIn(version.document, model);
  if (rates !== null) return rates;
  throw new ApiError("model_not_in_price_book", {
    message: {
      en: `The model ${model.name} is not for sale to this account. GET /api/v1/models lists the models that are.`,
      zh: `此账户不能购买模型 ${model.name}。GET /api/v1/models 会列出可用的模型。`,
    },
  });
}

/** The refusal of a task that was quoted by a version which is no longer in force. */
export function priceChanged(credits: number, { version }: Pick<Pricing, "version">): ApiError {
  return new ApiError("price_changed", {
    message: {
      en: `Prices have changed since the quote: this task costs ${credits} credits by ${version.id}. Send priceVersion '${version.id}', or none.`,
      zh: `报价之后价格已变更：按 ${version.id}，此任务需要 ${credits} 积分。请发送 priceVersion '${version.id}'，或不发送该参数。`,
    },
  });
}
