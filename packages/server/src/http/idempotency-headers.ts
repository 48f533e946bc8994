import { z } from "zod";

const keyRule = "must be 1 to 255 characters";

export const idempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .min(1, { error: keyRule })
    .max(255, { error: keyRule })
    .optional()
    .meta({
      description: "The same key and body get the first answer again instead of a new task.",
    }),
});
