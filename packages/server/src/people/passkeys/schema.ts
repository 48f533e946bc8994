import { z } from "zod";

const base64Url = (charsMax: number) =>
  z
    .string()
    .min(1)
    .max(charsMax)
    .regex(/^[A-Za-z0-9_-]+$/, "must be base64url");

const credentialId = base64Url(1_400);
const clientData = base64Url(4_000);
/** The results of extensions; none is requested. */
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

/** The credential that `navigator.credentials.get` returns. */
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

export const registrationBody = z
  .strictObject({ name: passkeyName, credential: madeCredential })
  .meta({
    examples: [
      {
        name: "MacBook",
        credential: {
          id: "rsG_kHJ679Oxr8o2gFKAsbH9re7yJX-3wc-C1vRw0cE",
          rawId: "rsG_kHJ679Oxr8o2gFKAsbH9re7yJX-3wc-C1vRw0cE",
          type: "public-key",
          clientExtensionResults: {},
          response: {
            clientDataJSON:
              "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiQndjSEJ3Y0hCd2NIQndjSEJ3Y0hCd2NIQndjSEJ3Y0hCd2NIQndjSEJ3YyIsIm9yaWdpbiI6Imh0dHBzOi8vbWVkaWEuZXhhbXBsZS5jb20iLCJjcm9zc09yaWdpbiI6ZmFsc2V9",
            attestationObject:
              "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViktSkhVr8gXqjNr7Ko4Nvs9fLc7nYLhwbCzadY0tovVQtFAAAAAQAAAAAAAAAAAAAAAAAAAAAAIK7Bv5Byeu_Tsa_KNoBSgLGx_a3u8iV_t8HPgtb0cNHBpQECAyYgASFYIHCJwvp0LcZy5G53ZS50S7Vaggn4EoUXDP4JJ2hkjETSIlggvQBxReg9UkSofBLKCV3Xl3dFYsBJd6On2sUSxlwFzuc",
            transports: ["internal"],
          },
        },
      },
    ],
  });
export type RegistrationBody = z.infer<typeof registrationBody>;

export const assertionBody = z.strictObject({ credential: usedCredential }).meta({
  examples: [
    {
      credential: {
        id: "rsG_kHJ679Oxr8o2gFKAsbH9re7yJX-3wc-C1vRw0cE",
        rawId: "rsG_kHJ679Oxr8o2gFKAsbH9re7yJX-3wc-C1vRw0cE",
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON:
            "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiQndjSEJ3Y0hCd2NIQndjSEJ3Y0hCd2NIQndjSEJ3Y0hCd2NIQndjSEJ3YyIsIm9yaWdpbiI6Imh0dHBzOi8vbWVkaWEuZXhhbXBsZS5jb20iLCJjcm9zc09yaWdpbiI6ZmFsc2V9",
          authenticatorData: "tSkhVr8gXqjNr7Ko4Nvs9fLc7nYLhwbCzadY0tovVQsFAAAAAg",
          signature:
            "MEUCICRmGOhk_l7BhWpuLEtayrJN24tElT9GzzzqlJIr0v_mAiEAxtO4kSbR_C5hLGYTeScWeRRZ_Bare5lhsWIalt5WM-s",
          userHandle: "AaHA3lWyfhCAAS-fO2xOig",
        },
      },
    },
  ],
});
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
