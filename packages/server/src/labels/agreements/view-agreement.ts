import { z } from "zod";
import type { AgreementRow } from "./queries.ts";

const time = z.int().meta({ description: "Epoch milliseconds." });

/** An agreement as the owner of the account and operators see it. */
export const agreementShape = {
  agreementId: z.string(),
  agreedBy: z.string().meta({ description: "Who agreed for the customer." }),
  agreedAt: time,
  text: z.string().meta({ description: "The text that was agreed on." }),
  sha256: z.string().meta({ description: "SHA-256 of the text in UTF-8, in hex." }),
  recordedAt: time,
};

export function viewAgreement({ id, agreedBy, agreedAt, text, sha256, createdAt }: AgreementRow) {
  return {
    agreementId: id,
    agreedBy,
    agreedAt: agreedAt.getTime(),
    text,
    sha256,
    recordedAt: createdAt.getTime(),
  };
}
