import assert from "node:assert";
import type { ModelRequest } from "../models/request.ts";

/** The vendor's own name of the model that a request is for. Only accounts that serve it are asked. */
export function vendorModelOf(
  { models }: { models: Readonly<Partial<Record<string, string>>> },
  { model }: Pick<ModelRequest, "model">,
): string {
  const vendorModel = models[model];
  assert(vendorModel !== undefined, `this vendor account does not serve ${model}`);
  return vendorModel;
}
