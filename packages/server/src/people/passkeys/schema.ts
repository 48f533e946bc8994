import { z } from "zod";

const base64Url = (charsMax: number) =>
  z
    .string()
    .min(1)
    .max(charsMax)
    .regex(/^[A-Za-z0-9_-]+$/, "must be base64url");

const credentialId = base64Url(1_400);
const clientData = base64Url(4_000);
/** What extensions answered; none is asked for. */
const extensions = z.object({});

/** `PublicKeyCredential.toJSON()` after `navigator.credentials.create`; members that are not used are dropped. */
const madeCredential = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: clientData,
    attestationObject: base64Url(40_000),
    transports: z.array(z.string().min(1).max(30)).max(10).default([]),
  }),
  clientExtensionResults: extensions,
});

/** The same after `navigator.credentials.get`. */
const usedCredential = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: clientData,
    authenticatorData: base64Url(4_000),
    signature: base64Url(2_000),
    userHandle: base64Url(100),
  }),
  clientExtensionResults: extensions,
});

const passkeyName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .meta({ description: "A name by which you recognise it, such as the device." });

export const registrationBody = z.strictObject({ name: passkeyName, credential: madeCredential });
export type RegistrationBody = z.infer<typeof registrationBody>;

export const assertionBody = z.strictObject({ credential: usedCredential });
export type AssertionBody = z.infer<typeof assertionBody>;

/** Passed to the browser as they are. */
export const optionsAnswer = z.object({
  options: z.record(z.string(), z.unknown()).meta({
    description:
      "Pass to `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`. Valid for 5 minutes, once.",
  }),
});

export const passkeyAnswer = z.object({ passkeyId: z.string(), name: z.string() });

export const passkeysAnswer = z.object({
  passkeys: z.array(
    z.object({
      passkeyId: z.string(),
      name: z.string(),
      createdAt: z.string(),
      usedAt: z.string().optional().meta({ description: "Absent: not used yet." }),
    }),
  ),
});

export const passkeyQuery = z.strictObject({ passkeyId: z.string().max(100) });
