import { z } from "zod";

/** The switches that change while the service runs, as they are stored. */

export const severities = ["info", "warning", "critical"] as const;
const textCharsMax = 500;

const bannerText = z.strictObject({
  en: z.string().min(1).max(textCharsMax),
  zh: z.string().min(1).max(textCharsMax),
});

export const bannerSchema = z
  .object({
    severity: z.enum(severities),
    text: bannerText.meta({ description: "In English and Chinese." }),
    until: z.int().nullable().meta({
      description: "Epoch milliseconds: not shown from then on. null: until it is removed.",
    }),
  })
  .meta({ id: "Banner" });
export type Banner = z.output<typeof bannerSchema>;

/** The state of a model that is off: the message that callers get in addition to the usual sentence. */
export const modelOffSchema = z.object({ message: z.string().max(textCharsMax).nullable() });

export const bannerName = "banner";
export const modelPrefix = "model ";

export interface SwitchState {
  banner: Banner | null;
  /** The models that are off, with the operator's message. */
  modelsOff: ReadonlyMap<string, { message: string | null }>;
}

export const noSwitches: SwitchState = { banner: null, modelsOff: new Map() };

/** A row that this release does not understand is passed over: it is of another release. */
export function readSwitches(rows: readonly { name: string; value: unknown }[]): SwitchState {
  let banner: Banner | null = null;
  const modelsOff = new Map<string, { message: string | null }>();
  for (const { name, value } of rows) {
    if (name === bannerName) banner = bannerSchema.safeParse(value).data ?? null;
    if (!name.startsWith(modelPrefix)) continue;
    const off = modelOffSchema.safeParse(value).data;
    if (off !== undefined) modelsOff.set(name.slice(modelPrefix.length), off);
  }
  return { banner, modelsOff };
}
