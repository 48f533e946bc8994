import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import { faultOfUrl } from "../media/fetch/public-address.ts";

export function callbackProtocols(config: Config): ("https:" | "http:")[] {
  return config.webhooks.requireHttps ? ["https:"] : ["https:", "http:"];
}

/**
 * The address in its normal form, in which nothing is left that cannot be stored or sent. Checks what can
 * be seen without DNS; an attempt checks again, with the addresses.
 */
export function readCallbackUrl(ctx: Context, text: string, param = "callBackUrl"): string {
  const policy = { allowLoopback: ctx.config.fetch.allowLoopback };
  const fault = faultOfUrl(text, callbackProtocols(ctx.config), policy);
  if (fault !== null) throw invalid(param, fault);
  return new URL(text).href;
}
