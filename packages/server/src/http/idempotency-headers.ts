import { z } from "zod";

const keyRule = "must be 1 to 255 characters";

export const idempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .min(1, { error: keyRule })
    .max(255, { error: keyRule })
    .optional()
    .meta({
      description:
        "A repeated request with the same key and body returns the first response and creates no second task.",
    }),
});
