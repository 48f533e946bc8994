import { z } from "zod";

const code = z.string().trim().min(6).max(40).meta({
  description: "A code of the authenticator app, six digits, or a recovery code.",
});

export const codeBody = z.strictObject({ code }).meta({ examples: [{ code: "492039" }] });
export const enrolAnswer = z.object({
  secret: z.string().meta({ description: "In base32, to type in where no QR code can be read." }),
  otpauthUrl: z.string().meta({ description: "Show it as a QR code." }),
});

export const recoveryCodesAnswer = z.object({
  recoveryCodes: z.array(z.string()).meta({
    description: "Ten codes that work once each, in place of the app. They are not shown again.",
  }),
});

export const totpAnswer = z.object({
  isEnabled: z.boolean(),
  recoveryCodesLeft: z.int(),
});
