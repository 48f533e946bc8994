import type { Label, LabelFrom } from "./aigc.ts";

/** Both forms that RDF allows for a property. */
const aigcForms =
  /<TC260:AIGC(?:\s[^>]*)?>(?<text>[^<]*)<\/TC260:AIGC>|\sTC260:AIGC=(?:"(?<double>[^"]*)"|'(?<single>[^']*)')/;
const newscodes = "http://cv.iptc.org/newscodes/digitalsourcetype/";
const packetId = "W5M0MpCehiHzreSzNTczkc9d";
const endOfDescriptions = "</rdf:RDF>";

/** Returns the label in an XMP packet, as it was written; null if there is none. */
export function aigcInXmp(packet: string): string | null {
  const { text, double, single } = aigcForms.exec(packet)?.groups ?? {};
  const escaped = text ?? double ?? single;
  return escaped === undefined ? null : unescapeXml(escaped);
}

/**
 * The packet of a file with its label, or one of its own. All else of the packet stays, a source type of
 * the vendor's among it.
 */
export function labelXmp(before: string | null, labelFrom: LabelFrom): string {
  const label = labelFrom(before === null ? null : aigcInXmp(before));
  const rest = before?.replace(aigcForms, "") ?? "";
  const at = rest.lastIndexOf(endOfDescriptions);
  const description = descriptionOf(label, rest.includes("DigitalSourceType"));
  if (at >= 0) return rest.slice(0, at) + description + rest.slice(at);
  return `<?xpacket begin="\uFEFF" id="${packetId}"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${description}${endOfDescriptions}</x:xmpmeta><?xpacket end="r"?>`;
}

function descriptionOf({ aigc, sourceType }: Label, hasType: boolean): string {
  const type = hasType
    ? ""
    : `<Iptc4xmpExt:DigitalSourceType>${newscodes}${sourceType}</Iptc4xmpExt:DigitalSourceType>`;
  return `<rdf:Description rdf:about="" xmlns:TC260="http://www.tc260.org.cn/ns/AIGC/1.0/" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"><TC260:AIGC>${escapeXml(aigc)}</TC260:AIGC>${type}</rdf:Description>`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const named: Partial<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(
    /&#x(?<hex>[\da-fA-F]{1,6});|&#(?<decimal>\d{1,7});|&(?<name>quot|amp|lt|gt|apos);/g,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    },
  );
}
