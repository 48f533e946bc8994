import { z } from "zod";
import { type ServiceScope, serviceScopes } from "../../../db/tables/admin.ts";
import { expiresInDays } from "./issue-service-key.ts";

const networksMax = 20;
const time = z.int().meta({ description: "Epoch milliseconds." });
const scope = z
  .enum(serviceScopes as [ServiceScope, ...ServiceScope[]], {
    error: `must be some of ${serviceScopes.join(", ")}`,
  })
  .meta({
    description:
      "A noun of the operator API: alone to read and change it, with `:read` to read it. Approving as the second person is `credits:approve`.",
  });

const network = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], {
  error: "must be a network such as 192.0.2.0/24, or an address",
});

export const serviceKeyBody = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .meta({ description: "A label: which program uses the key." }),
  scopes: z
    .array(scope)
    .min(1)
    .max(serviceScopes.length)
    .refine((items) => new Set(items).size === items.length, {
      error: "must name each scope once",
    }),
  networks: z.array(network).min(1).max(networksMax).optional().meta({
    description:
      "The networks of which the key is accepted, such as `192.0.2.0/24`. Without any it is accepted from everywhere.",
  }),
  expiresInDays: z
    .int()
    .min(1)
    .max(expiresInDays.max)
    .default(expiresInDays.usual)
    .meta({ description: "After how many days the key ends. It cannot be extended." }),
});

export const newServiceKeyAnswer = z.object({
  serviceKeyId: z.string(),
  key: z.string().meta({ description: "The key. Store it now: it is not shown again." }),
  expiresAt: time,
});

export const serviceKeyAnswer = z
  .object({
    serviceKeyId: z.string(),
    name: z.string(),
    hint: z.string().meta({ description: "The beginning of the key, to recognise it by." }),
    status: z.enum(["live", "expired", "revoked"]),
    scopes: z.array(scope),
    networks: z.array(z.string()).nullable().meta({ description: "null: everywhere." }),
    issuedBy: z.object({ personId: z.string(), name: z.string().nullable() }).meta({
      description: "For whom the key acts. It ends when this person is no operator any longer.",
    }),
    createdAt: time,
    expiresAt: time,
    revokedAt: time.nullable(),
    lastUsedAt: time.nullable().meta({
      description: "The minute of the last request; null: never used.",
    }),
  })
  .meta({ id: "ServiceKey" });

export const serviceKeysAnswer = z.object({
  items: z.array(serviceKeyAnswer).meta({ description: "The newest 500." }),
});

export const serviceKeyParams = z.object({ serviceKeyId: z.string().max(100) });
