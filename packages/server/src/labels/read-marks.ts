import type { MediaContext } from "../context.ts";
import { decode, ImageError } from "../media/image/decode.ts";
import { ConfinementError } from "../media/probe/confine.ts";
import type { MediaFacts } from "../media/probe/probe.ts";
import { parseAigc } from "./aigc.ts";
import { loadSigner } from "./load-signer.ts";
import { readAigc } from "./read-aigc.ts";
import { readManifest } from "./read-manifest.ts";
import { aigcInXmp } from "./xmp.ts";

/** A mark in a file that says where it comes from. */
export type Mark =
  | {
      /** The implicit label of GB 45438. */
      kind: "AIGC";
      producer: string;
      /** Who passed it on; null: nobody else. */
      propagator: string | null;
    }
  | {
      kind: "C2PA";
      /** Who signed it: this service, or somebody else. */
      signer: "ours" | "others";
      /** The organisation in the certificate. */
      name: string | null;
      /** Whether signature and hashes fit the file; trust in the signer is another question. */
      isValid: boolean;
    };

/** Whose work it is; the signal ends it. */
interface Entry {
  owner: string;
  signal: AbortSignal;
}

type MarksContext = Pick<MediaContext, "config" | "log" | "programs">;

/**
 * Returns the marks of a stranger's file, which only confined programs open. Each takes a permit of
 * `programs`. Manifests are read where the package for it is installed.
 */
export async function readMarks(
  ctx: MarksContext,
  path: string,
  facts: MediaFacts,
  entry: Entry,
): Promise<Mark[]> {
  const label = await ctx.programs.use(entry, () => readLabel(path, facts));
  const manifest = await readSigned(ctx, path, facts, entry);
  return [...markOfLabel(label), ...manifest];
}

function markOfLabel(text: string | null): Mark[] {
  const label = text === null ? null : parseAigc(text);
  if (label === null) return [];
  const { ContentProducer: producer = "", ContentPropagator: propagator = "" } = label;
  return [{ kind: "AIGC", producer, propagator: propagator === "" ? null : propagator }];
}

async function readSigned(
  ctx: MarksContext,
  path: string,
  { contentType }: MediaFacts,
  entry: Entry,
): Promise<Mark[]> {
  const isInstalled = await loadSigner().then(
    () => true,
    () => false,
  );
  if (!isInstalled) return [];
  const found = await readManifest(ctx, path, contentType, entry);
  if (found.kind !== "manifest") return [];
  const { state, signer: name } = found.manifest;
  const signer = found.isOurs ? "ours" : "others";
  return [{ kind: "C2PA", signer, name, isValid: state !== "invalid" }];
}

async function readLabel(path: string, { type, contentType }: MediaFacts): Promise<string | null> {
  if (type !== "IMAGE")
    return readAigc(path, contentType).catch((error: unknown) => {
      if (error instanceof ConfinementError) throw error;
      return null;
    });
  if (contentType === "image/bmp") return null;
  try {
    const { parts } = await decode({ kind: "xmp" }, path);
    return parts[0] === undefined ? null : aigcInXmp(parts[0].toString("utf8"));
  } catch (error) {
    if (error instanceof ImageError) return null;
    throw error;
  }
}
