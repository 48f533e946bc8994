import { z } from "zod";

const peopleMax = 500;
const purposeMax = 1_000;
const formRule = "must be the uploadId of a complete upload of type DOCUMENT";

function text(max: number) {
  const error = `must be text of 1 to ${max} characters`;
  return z.string({ error }).trim().min(1, { error }).max(max, { error });
}

export const declarationBody = z
  .strictObject({
    people: text(peopleMax).meta({ description: "Who is shown: names, or how they are called." }),
    purpose: text(purposeMax).meta({ description: "What they agreed to." }),
    formUploadId: z
      .string({ error: formRule })
      .min(1, { error: formRule })
      .max(100, { error: formRule })
      .nullish()
      .meta({
        description:
          "The signed form: the uploadId of a direct upload of type DOCUMENT whose chunks have all been received.",
      }),
  })
  .meta({
    id: "Declaration",
    description: "What you declare about the real people that the file shows. Reviewers read it.",
  });
export type DeclarationBody = z.output<typeof declarationBody>;

export const declarationAnswer = z.object({
  assetId: z.int(),
  people: z.string(),
  purpose: z.string(),
  formType: z.string().nullable().meta({ description: "Its content type, once it is stored." }),
  formUrl: z
    .string()
    .nullable()
    .meta({ description: "A signed link to the form, valid for one hour; null without one." }),
  declaredAt: z.int().meta({ description: "Epoch milliseconds." }),
});
