import { z } from "zod";
import { assertionBody } from "../passkeys/schema.ts";
import { codeBody } from "../totp/schema.ts";

const proofWays = ["password", "code", "passkey", "oidc"] as const;
export type ProofWay = (typeof proofWays)[number];

export const proofsAnswer = z.object({
  isFresh: z.boolean().meta({ description: "True: no proof is needed for the moment." }),
  ways: z.array(z.enum(proofWays)).meta({
    description:
      "How this person can prove who it is. None: end the session and sign in again. With an authenticator app, a password is not enough.",
  }),
});

/** One of three. A company sign-in begins at `/api/v1/session/proof/oidc`. */
export const proofBody = z
  .union([z.strictObject({ password: z.string().min(1).max(200) }), codeBody, assertionBody])
  .meta({ examples: [{ password: "correct horse battery staple" }, { code: "492039" }] });
export type ProofBody = z.infer<typeof proofBody>;
