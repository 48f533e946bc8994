/** The request to the decoder, passed as its only argument. The image comes on stdin. */
export type Request =
  | { kind: "measure" }
  | { kind: "fit"; sizeBytesMax: number }
  | { kind: "scaleUp"; shortSide: number }
  | { kind: "label"; place: Place }
  | { kind: "poster" }
  | { kind: "xmp" }
  | { kind: "views" };

/** The pixels of an upright image that the visible label covers. */
export interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * The decoder's report about the image. The reader checks it, because an image may have taken over the
 * decoder.
 */
export interface Facts {
  /** The sides are as displayed. */
  measure: { contentType: string; width: number; height: number; pages: number };
  fit: { contentType: "image/webp" | "image/jpeg" };
  scaleUp: Record<never, never>;
  label: Record<never, never>;
  /** The sides of the second part, rows of red, green, blue and alpha, which is opaque. */
  poster: { thumb: { width: number; height: number } };
  /** Its part is the XMP packet, if the image has one. */
  xmp: Record<never, never>;
  views: { sides: { width: number; height: number }[] };
}

export interface Answer<Kind extends Request["kind"]> {
  facts: Facts[Kind];
  parts: Uint8Array[];
}

/** The first line of its stdout, as JSON; the parts follow without anything between them. */
export type Head = { facts: unknown; lengths: number[] } | { fault: string };
