import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import { faultOfUrl } from "../media/fetch/public-address.ts";
import { textOfUrlFault } from "../media/fetch/url-fault-texts.ts";
import type { Config } from "../settings/config.ts";

export function callbackProtocols(config: Config): ("https:" | "http:")[] {
  return config.webhooks.requireHttps ? ["https:"] : ["https:", "http:"];
}

/**
 * The normalized URL, which can be stored and sent. Checks without DNS; an attempt checks again with
 * the resolved addresses.
 */
export function readCallbackUrl(ctx: Context, text: string, param = "callBackUrl"): string {
  const policy = { allowLoopback: ctx.config.fetch.allowLoopback };
  const fault = faultOfUrl(text, callbackProtocols(ctx.config), policy);
  if (fault !== null) throw invalid(param, textOfUrlFault(fault));
  return new URL(text).href;
}
