import { z } from "zod";
import { memberRoles, staffRoles } from "../actor.ts";
import { languages } from "../db/tables/people.ts";

const passwordLengthMax = 200;

export const email = z.email().max(254).meta({ description: "The e-mail address." });
/** As it was typed: whether it is long enough is asked only where one is set. */
const givenPassword = z.string().min(1).max(passwordLengthMax);

export const signInBody = z.object({ email, password: givenPassword }).strict();
export const signInAnswer = z.object({
  status: z.enum(["signed_in", "second_factor_required"]).meta({
    description: "With `second_factor_required` the session is good for the second factor only.",
  }),
});

export const me = z.object({
  personId: z.string(),
  email: z.string(),
  name: z.string(),
  language: z.enum(languages),
  accounts: z
    .array(
      z.object({
        accountId: z.string(),
        name: z.string(),
        role: z.enum(memberRoles),
        testAccountId: z.string().nullable().meta({
          description:
            "The test account, for the header `Zoetrope-Account`; null if there is none.",
        }),
      }),
    )
    .meta({ description: "At most 100." }),
  staffRole: z
    .enum(staffRoles)
    .nullable()
    .meta({ description: "The role in the deployment; null for customers." }),
});
