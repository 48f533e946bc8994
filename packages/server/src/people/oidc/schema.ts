import { z } from "zod";

const returnTo = z.string().min(1).max(500).default("/").meta({
  description: "The page to come back to: a path of this deployment.",
});

export const beginOidcBody = z
  .strictObject({
    returnTo,
    invitation: z.string().max(100).optional().meta({
      description: "The token of an invitation's link, to accept it by company sign-in.",
    }),
  })
  .meta({ examples: [{ returnTo: "/tasks" }] });
export const linkBody = z.strictObject({ returnTo }).meta({ examples: [{ returnTo: "/profile" }] });

export const visitAnswer = z.object({
  url: z.string().meta({ description: "Send the browser there within 10 minutes." }),
});

export const methodsAnswer = z.object({
  password: z.literal(true),
  passkey: z.literal(true),
  oidc: z
    .object({ name: z.string().meta({ description: "What the button says." }) })
    .nullable()
    .meta({ description: "Company sign-in; null: there is none." }),
});

export const identitiesAnswer = z.object({
  identities: z.array(
    z.object({
      identityId: z.string(),
      issuer: z.string(),
      email: z.string().optional().meta({ description: "As the provider said it when linked." }),
      createdAt: z.string(),
      usedAt: z.string().optional(),
    }),
  ),
});

export const identityQuery = z.strictObject({ identityId: z.string().max(100) });
