import { z } from "zod";

/** Where a worker opens files for the api. */
export const openPath = "/open-file";
/** What a worker has for a whole file, with the time that it waits for others. */
export const openMsMax = 3 * 60_000;

export const sha256Text = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits in lower case");

export const sha256Query = z.strictObject({
  sha256: sha256Text.meta({ description: "The SHA-256 of the file, in hexadecimal." }),
});

const mark = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("AIGC").meta({ description: "The implicit label of GB 45438." }),
    producer: z.string(),
    propagator: z.string().nullable().meta({ description: "Who passed the file on." }),
  }),
  z.object({
    kind: z.literal("C2PA").meta({ description: "A signed manifest." }),
    signer: z.enum(["ours", "others"]),
    name: z.string().nullable().meta({ description: "The organisation in the certificate." }),
    isValid: z.boolean().meta({ description: "Whether signature and hashes fit the file." }),
  }),
]);

export const verifyAnswer = z
  .object({
    result: z.enum(["made_here", "similar", "labelled", "nothing_found"]).meta({
      description:
        "The strongest finding. `made_here`: the bytes are those of an output of this service, or this service has signed them. `similar`: the picture is much like that of an output, as after another encoding; this proves nothing. `labelled`: only the file's own marks say where it comes from.",
    }),
    madeOn: z
      .string()
      .nullable()
      .meta({ description: "The date of that output in UTC, such as 2026-08-02." }),
    madeAs: z
      .enum(["video", "image", "upscale"])
      .nullable()
      .meta({ description: "The kind of model that made it." }),
    isOpened: z.boolean().meta({
      description:
        "Whether the file was opened. If not, only its SHA-256 was compared: it was not sent, or it is not a video or image that this service reads.",
    }),
    marks: z.array(mark).meta({ description: "The marks in the file, if it was opened." }),
    sha256: z.string(),
  })
  .meta({ id: "Verification" });
export type Verification = z.output<typeof verifyAnswer>;

/** What a worker finds in a file. */
export const openedFile = z.object({
  isOpened: z.boolean(),
  /** Decimal numbers of 63 bits. */
  prints: z.array(z.string().regex(/^\d{1,19}$/)).max(64),
  marks: z.array(mark),
});
export type OpenedFile = z.output<typeof openedFile>;
