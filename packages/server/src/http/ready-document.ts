import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import Negotiator from "negotiator";
import { type Language, languageTags } from "../errors.ts";
import { etagOf, matchesEtag } from "./etag.ts";

/** A document that does not change while the process runs, ready to be sent. */
export interface ReadyDocument {
  contentType: string;
  /** The language of a document that exists in several. */
  language?: Language;
  etags: Record<Encoding, string>;
  bytes: Record<Encoding, Buffer>;
}
/** The smallest first. */
const encodings = ["br", "gzip", "identity"] as const;
type Encoding = (typeof encodings)[number];

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);
/** Nearly as small as the best, in a tenth of the time: the first reader waits for it. */
const brotliQuality = 5;

interface Prepared {
  language?: Language;
  /** The body, if it was compressed before. */
  gzip?: Buffer | undefined;
  br?: Buffer | undefined;
}

export async function prepareDocument(
  contentType: string,
  content: string | Buffer,
  { language, ...prepared }: Prepared = {},
): Promise<ReadyDocument> {
  const identity = Buffer.from(content);
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality };
  const [zipped, br] = await Promise.all([
    prepared.gzip ?? toGzip(identity),
    prepared.br ?? toBrotli(identity, { params }),
  ]);
  const bytes = { identity, gzip: zipped, br };
  const etags = { identity: etagOf(identity), gzip: etagOf(zipped), br: etagOf(br) };
  return { contentType, etags, bytes, ...(language && { language }) };
}

/** Returns the response for this client. Each encoding has its own ETag; any of them matches. */
export function answerWith(
  { contentType, language, etags, bytes }: ReadyDocument,
  request: IncomingHttpHeaders,
  cacheControl: string,
): { statusCode: 200 | 304; headers: Record<string, string>; body: Buffer | undefined } {
  const encoding = chooseEncoding(request);
  const headers = {
    etag: etags[encoding],
    "cache-control": cacheControl,
    vary: language === undefined ? "Accept-Encoding" : "Accept-Encoding, Accept-Language",
    ...(language && { "content-language": languageTags[language] }),
  };
  if (Object.values(etags).some((etag) => matchesEtag(request["if-none-match"], etag)))
    return { statusCode: 304, headers, body: undefined };
  return {
    statusCode: 200,
    headers: {
      ...headers,
      "content-type": contentType,
      ...(encoding === "identity" ? {} : { "content-encoding": encoding }),
    },
    body: bytes[encoding],
  };
}

/** Returns the smallest encoding that the client accepts, whatever it prefers. */
function chooseEncoding(headers: IncomingHttpHeaders): Encoding {
  const accepted = new Negotiator({ headers }).encodings(encodings);
  return encodings.find((one) => accepted.includes(one)) ?? "identity";
}
