import type { FastifySchemaCompiler } from "fastify";
import type { z } from "zod";
import { invalidParameters } from "../invalid-parameters.ts";

/** Checks what a route declares about its input; the fault becomes the 400 that names the field. */
export const validate: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (data) => {
    const parsed = schema.safeParse(data);
    if (parsed.success) return { value: parsed.data };
    return { error: invalidParameters(parsed.error, "") };
  };
