import { z } from "zod";
import { scopes } from "../../db/tables/accounts.ts";
import { pageLimit, textCursor, timeRule } from "../../http/paging.ts";
import { models } from "../../models/catalogue.ts";
import { upscalerModel } from "../../models/upscaler.ts";

const countRule = "must be a positive whole number";
const nameRule = "must be text of 1 to 100 characters";
const idRule = "must be a keyId";
const epoch = z.int().meta({ description: "Epoch milliseconds." });
const modelNames: [string, ...string[]] = [upscalerModel, ...models.map(({ name }) => name)];
const mode = z.enum(["live", "test"], { error: "must be live or test" });
const scope = z.enum(scopes, { error: `must be some of ${scopes.join(", ")}` });
const model = z.enum(modelNames, { error: `must be some of ${modelNames.join(", ")}` });
const unique = (items: readonly string[]) => new Set(items).size === items.length;

const name = z
  .string({ error: nameRule })
  .min(1, { error: nameRule })
  .max(100, { error: nameRule })
  .meta({ description: "A label for your own use." });

/** On the outside nullable: null is no limit, which is different from leaving it as it is. */
const limits = {
  scopes: z
    .array(scope, { error: "must be a list of scopes" })
    .min(1, { error: "must have at least one scope" })
    .refine(unique, { error: "must name each scope once" })
    .optional()
    .nullable()
    .meta({
      description:
        "What the key may do; null: everything except creating, changing and revoking keys, for which a key needs the scope `keys` by name.",
    }),
  models: z
    .array(model, { error: "must be a list of models" })
    .min(1, { error: "must have at least one model" })
    .refine(unique, { error: "must name each model once" })
    .optional()
    .nullable()
    .meta({ description: "Which models the key may use; null: all." }),
  requestsPerMinuteMax: z
    .int({ error: countRule })
    .min(1, { error: countRule })
    .max(1_000_000, { error: "must be at most 1000000" })
    .optional()
    .nullable()
    .meta({ description: "null: the limit of the deployment." }),
  creditsMax: z
    .int({ error: "must be a whole number of credits" })
    .min(0, { error: "must be a whole number of credits" })
    .optional()
    .nullable()
    .meta({
      description: "The budget: what the tasks of the key may cost in all. null: no limit.",
    }),
  expiresAt: z.iso
    .datetime({ offset: true, error: timeRule })
    .optional()
    .nullable()
    .meta({ description: "When the key stops working. null: never." }),
};

export const keysQuery = z.strictObject({
  cursor: textCursor(),
  limit: pageLimit({ usual: 50, max: 100 }),
});
export type KeysQuery = z.output<typeof keysQuery>;

export const keyQuery = z.strictObject({
  keyId: z.string({ error: idRule }).min(1, { error: idRule }).max(100, { error: idRule }),
});

export const createKeyBody = z
  .strictObject({
    name,
    mode: mode.default("live").meta({
      description:
        "test: the key belongs to the test account, which runs on the sandbox with credits that nobody paid for.",
    }),
    ...limits,
  })
  .meta({
    examples: [
      {
        name: "nightly batch",
        scopes: ["tasks", "assets"],
        models: ["sd2", "upscale"],
        requestsPerMinuteMax: 600,
        creditsMax: 5_000,
        expiresAt: "2027-01-01T00:00:00Z",
      },
    ],
  });

export const changeKeyBody = z
  .strictObject({ name: name.optional(), ...limits })
  .meta({ examples: [{ creditsMax: 10_000, expiresAt: null }] });
export type ChangeKeyBody = z.output<typeof changeKeyBody>;

export const keyAnswer = z
  .object({
    keyId: z.string(),
    name: z.string(),
    hint: z.string().meta({ description: "The beginning of the key, to recognise it by." }),
    mode,
    status: z.enum(["live", "expired", "revoked"]),
    scopes: z.array(scope).nullable().meta({ description: "null: all except `keys`." }),
    models: z.array(z.string()).nullable().meta({ description: "null: all." }),
    requestsPerMinuteMax: z
      .int()
      .nullable()
      .meta({ description: "null: the limit of the deployment." }),
    creditsMax: z.int().nullable().meta({ description: "The budget; null: no limit." }),
    creditsLeft: z.int().nullable().meta({
      description: "The budget minus what the tasks of the key cost or hold; null: no limit.",
    }),
    createdAt: epoch,
    createdBy: z.object({
      kind: z.enum(["person", "key", "operator"]),
      id: z.string().nullable().meta({ description: "Of the person or key." }),
    }),
    expiresAt: epoch.nullable(),
    revokedAt: epoch.nullable(),
    lastUsedAt: epoch.nullable().meta({
      description: "The minute of the last request, in epoch milliseconds. null: never used.",
    }),
  })
  .meta({ id: "Key" });
export type KeyAnswer = z.output<typeof keyAnswer>;

export const keysPage = z.object({
  items: z.array(keyAnswer),
  nextCursor: z.string().nullable().meta({ description: "null on the last page." }),
});

export const newKeyAnswer = keyAnswer.extend({
  key: z.string().meta({ description: "The API key. Store it now: it is not shown again." }),
});

export const revokedAnswer = z.object({ keyId: z.string(), revoked: z.literal(true) });
