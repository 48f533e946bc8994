import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { contentTypes } from "../probe/sniff.ts";
import type { ChunkStorage } from "./chunks.ts";

/**
 * The media storage. Keys are random and never reused; an object is written once and completely. Only
 * the chunks of an upload may be written again, each time completely. Two drivers: any S3, and a
 * folder on one machine.
 */
export interface Storage extends ChunkStorage {
  /** Stores a local file under a new key; a key that exists already is an error. */
  putFile(key: string, path: string, facts: ObjectFacts): Promise<void>;
  /**
   * Returns the address of the bytes, or null if there is no such object. A link is valid for one method,
   * and for 15 minutes unless `seconds` is given.
   */
  locate(
    key: string,
    method?: "GET" | "HEAD",
    seconds?: number,
    delivery?: Delivery,
  ): Promise<Location | null>;
  /** The bytes as a stream, or null if there is no such object. */
  openRead(key: string): Promise<Readable | null>;
  /** Deletes an object; no error if it does not exist. */
  remove(key: string): Promise<void>;
  /** The keys of the objects that were stored from this time on. Reads the whole list: for operators. */
  listSince(since: Date): AsyncIterable<string>;
  /** The text of a note, or null if there is none. Notes are no objects: they have a name and are replaced. */
  readNote(name: string): Promise<string | null>;
  writeNote(name: string, text: string): Promise<void>;
  /**
   * Throws if the storage is unreachable, or `StorageUnfit` if it is there and refuses. The first check of a
   * process writes: what may be read may still deny everything else.
   */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The error that the storage responds but cannot be used: no bucket, or a missing right, which it names. */
export class StorageUnfit extends Error {}

export interface ObjectFacts {
  contentType: string;
  sizeBytes: number;
  /** Hexadecimal. The storage refuses bytes that do not match it. */
  sha256: string;
}

/** The headers of the response that has the bytes. */
export interface Delivery {
  disposition: string;
  cacheControl: string;
}

/** A short-lived link to the storage, or a local file. */
type Location = { kind: "link"; url: string } | { kind: "file"; root: string; path: string };

const keyPattern = /^[a-z0-9]{40}\.[a-z0-9]{2,4}$/;

/** Returns a random name that nobody can guess: anybody who has the link may read the object. */
export function newObjectKey(extension: string): string {
  return `${randomBytes(20).toString("hex")}.${extension}`;
}

/** The cache header of signed links: no cache may serve the file to others or later. */
const privateCache = "private, no-store";
const privateMark = "asset"; // not hexadecimal: no other key ends so

/** The key of an object that is only served by a signed link: the key alone is not enough. */
export function newPrivateKey(extension: string): string {
  const random = randomBytes(20).toString("hex").slice(privateMark.length);
  return `${random}${privateMark}.${extension}`;
}

export function isPrivateKey(key: string): boolean {
  return key.includes(`${privateMark}.`);
}

/** The content type of a response: by the extension of the key, never by what a user sent. */
export function contentTypeOf(key: string): string {
  return contentTypes[key.split(".")[1] ?? ""] ?? "application/octet-stream";
}

/**
 * An object never changes, so a reader may keep it; not a cache that many share, where it would outlive its
 * deletion.
 */
const publicCache = "private, max-age=3600, immutable";
/** The maximum length of the name that a reader requests for the file. */
const nameMax = 100;

/**
 * Returns how an object is delivered. Users' files, which are private, are downloads: they must not be
 * displayed as pages of this service. Others are displayed, or saved under the name in `wants`; with `""`
 * the service chooses the name.
 */
export function deliveryOf(key: string, wants?: string): Delivery {
  if (isPrivateKey(key))
    return { disposition: `attachment; filename="${key}"`, cacheControl: privateCache };
  const extension = key.split(".")[1] ?? "";
  const wanted = (wants ?? "").replace(new RegExp(`\\.${extension}$`, "i"), "").slice(0, nameMax);
  const name = `${wanted.toWellFormed() || `zoetrope-${key.slice(0, 8)}`}.${extension}`;
  const plain = name.replace(/[^\w .()-]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  const exact = plain === name ? "" : `; filename*=UTF-8''${encoded}`;
  const kind = wants === undefined ? "inline" : "attachment";
  return { disposition: `${kind}; filename="${plain}"${exact}`, cacheControl: publicCache };
}

export function isObjectKey(text: string): boolean {
  return keyPattern.test(text);
}

/** Beside the objects: nothing lists it, and no link leads to it. */
export function noteKey(name: string): string {
  return `notes/${name}`;
}
