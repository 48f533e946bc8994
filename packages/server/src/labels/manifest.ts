import { z } from "zod";

const charactersMax = 300;
const itemsMax = 50;

const text = z.string().max(charactersMax);
const texts = z.array(text).max(itemsMax);

/** The part of a manifest that says where a file comes from. Nobody but the signer vouches for it. */
const manifestSchema = z.object({
  /**
   * `invalid`: the file or its manifest was changed since it was signed; `trusted`: signed below the
   * deployment's own certificates.
   */
  state: z.enum(["invalid", "valid", "trusted"]),
  /** The codes of the C2PA specification for what is wrong with it. */
  failures: texts,
  id: text,
  title: text.nullable(),
  /** The program that made the claim. */
  generator: text.nullable(),
  /** The organisation in the certificate. */
  signer: text.nullable(),
  /** ISO 8601, from a time-stamp authority. */
  signedAt: text.nullable(),
  actions: z.array(z.object({ action: text, sourceType: text.nullable() })).max(itemsMax),
  ingredients: z
    .array(
      z.object({
        title: text.nullable(),
        relationship: text.nullable(),
        manifest: text.nullable(),
        failures: texts,
      }),
    )
    .max(itemsMax),
  /** The source types of all actions of all manifests: `trainedAlgorithmicMedia` says that a model made it. */
  sourceTypes: texts,
});

export type Manifest = z.output<typeof manifestSchema>;

const signedSchema = z.object({
  /** The id of the manifest. */
  manifest: text,
  /** `unreadable`: named as the parent without its manifest or hash. */
  parent: z.enum(["none", "read", "unreadable"]),
});

export type Signed = z.output<typeof signedSchema>;

const questionBytesMax = 64 * 1024;

/** The checks of the program's lines, which are not trusted: a file may have taken over the program. */
export const lineSchema = z.union([
  z.object({
    ask: z.enum(["signature", "timeStamp"]),
    bytes: z.base64().max(questionBytesMax),
  }),
  z.object({ signed: signedSchema }),
  z.object({ read: manifestSchema.nullable() }),
  z.object({ fault: z.string().max(2_000) }),
]);

export type Line = z.output<typeof lineSchema>;
