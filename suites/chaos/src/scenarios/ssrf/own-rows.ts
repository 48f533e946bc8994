import { everywhere, type Row } from "./rows.ts";

/** Rows that the corpus leaves out: each needs a clause of the guard that no other row needs. */
export const ownRows: readonly Row[] = [
  // Names that are private by their form, though the attacker's DNS says a public address.
  { id: "O01", url: "http://open.internal/", verdicts: everywhere("refuse at once") },
  { id: "O02", url: "http://open.internal./", verdicts: everywhere("refuse at once") },
  { id: "O03", url: "http://open/", verdicts: everywhere("refuse at once") },
  // Rows by http, where no certificate stands in the way: one public address, and another one.
  { id: "O04", url: "http://multi.test/", verdicts: everywhere("refuse") },
  { id: "O05", url: "http://aaaa-private.test/", verdicts: everywhere("refuse") },
  { id: "O06", url: "http://x7f000001.v4.test/", verdicts: everywhere("refuse") },
  // Redirects, which a callback never follows.
  { id: "O07", url: leadingTo("http://user:pass@example.test/"), verdicts: everywhere("refuse") },
  { id: "O08", url: leadingTo("http://open.internal/"), verdicts: everywhere("refuse") },
  { id: "O09", url: leadingTo("http://example.test:25/"), verdicts: everywhere("refuse") },
  { id: "O10", url: "http://redir.test/chain-3", verdicts: onlyMedia("accept") },
  { id: "O11", url: "http://redir.test/chain-4", verdicts: everywhere("refuse") },
  // Bodies.
  { id: "O12", url: "http://big.test/256m", verdicts: { ...media(/larger/), callback: "accept" } },
  {
    id: "O13",
    url: "http://big.test/drip",
    verdicts: { ...media(/too slow/), callback: "accept" }, // its status has decided
  },
  { id: "O14", url: "http://big.test/steady", verdicts: { callback: "accept" } },
  { id: "O15", url: "http://gz.test/squeezed", verdicts: everywhere("accept") },
  // Headers, by whichever HTTP is spoken.
  { id: "O17", url: "https://hdr.test/32k", verdicts: everywhere("refuse") },
  // A name server that never answers.
  {
    id: "O16",
    url: "http://slow.test/",
    verdicts: { image: "refuse", callback: /ETIMEOUT|lookup timed out/ },
  },
  // Rows by https, where a source of an upscale gets as far as names, redirects and bodies.
  { id: "U01", url: "https://x7f000001.v4.test/", verdicts: { upscale: /not public/ } },
  { id: "U02", url: secure(leadingTo("https://10.0.0.1/")), verdicts: { upscale: /public/ } },
  { id: "U03", url: secure(leadingTo("http://example.test/")), verdicts: { upscale: /https/ } },
  { id: "U04", url: secure("http://redir.test/chain-4"), verdicts: { upscale: /redirects/ } },
  { id: "U05", url: secure("http://redir.test/chain-3"), verdicts: { upscale: "accept" } },
  { id: "U06", url: secure("http://big.test/256m"), verdicts: { upscale: /larger/ } },
];

function secure(url: string): string {
  return url.replace("http:", "https:");
}

function leadingTo(url: string): string {
  return `http://redir.test/to?status=302&hops=0&url=${encodeURIComponent(url)}`;
}

function media(verdict: RegExp) {
  return { image: verdict, asset: verdict };
}

function onlyMedia(verdict: "accept"): Row["verdicts"] {
  return { image: verdict, asset: verdict, callback: "refuse" };
}
