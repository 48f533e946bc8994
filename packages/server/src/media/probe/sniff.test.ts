import { expect, test } from "vitest";
import { contentTypes, sniff } from "./sniff.ts";

const bytes = (text: string) => Buffer.from(text.padEnd(64, "\0"), "latin1");

test.each([
  ["PNG", "\x89PNG\r\n\x1a\n", "image/png"],
  ["JPEG", "\xff\xd8\xff\xe0", "image/jpeg"],
  ["WebP", "RIFF\x10\0\0\0WEBPVP8 ", "image/webp"],
  ["BMP", "BM\x10\0\0\0", "image/bmp"],
  ["MP4", "\0\0\0\x20ftypisom", "video/mp4"],
  ["QuickTime", "\0\0\0\x14ftypqt  ", "video/quicktime"],
  ["QuickTime without a type", "\0\0\0\x08wide\0\0\0\x10mdat", "video/quicktime"],
  [
    "WebM",
    "\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x84webm",
    "video/webm",
  ],
  ["RF64", "RF64\xff\xff\xff\xffWAVEds64", "audio/wav"],
  ["3GP", "\0\0\0\x18ftyp3gp5\0\0\x01\0", "video/mp4"],
  [
    "an unknown brand that is compatible with MP4",
    "\0\0\0\x18ftypZZZZ\0\0\0\0YYYYisom",
    "video/mp4",
  ],
  ["WAV", "RIFF\x10\0\0\0WAVEfmt ", "audio/wav"],
  ["MP3 with a tag", "ID3\x04\0", "audio/mpeg"],
  ["MP3 without one", "\xff\xfb\x90\x64", "audio/mpeg"],
])("%s is recognised by its first bytes", (_name, head, contentType) => {
  expect(sniff(bytes(head))).toMatchObject({ contentType });
});

test.each([
  ["an empty file", ""],
  ["a page", "<!doctype html><html>"],
  ["an SVG", '<?xml version="1.0"?><svg>'],
  ["a GIF", "GIF89a"],
  ["an HLS playlist", "#EXTM3U\n"],
  ["a DASH manifest", '<?xml version="1.0"?><MPD>'],
  ["an ffconcat list", "ffconcat version 1.0\n"],
  ["an SDP description", "v=0\no=- 0 0 IN IP4 127.0.0.1\n"],
  ["an AVIF", "\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf"],
  ["a HEIC that is compatible with MP4", "\0\0\0\x18ftypheic\0\0\0\0mif1isom"],
  ["an M4A that is compatible with MP4", "\0\0\0\x18ftypM4A \0\0\0\0mp42isom"],
  ["a brand that nobody knows", "\0\0\0\x14ftypZZZZ\0\0\0\0YYYY"],
  ["a JPEG 2000", "\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14ftypjp2 "],
  ["a ZIP", "PK\x03\x04"],
  ["MPEG audio of layer II", "\xff\xfd\x90\x64"],
  ["an AAC stream", "\xff\xf1\x50\x80"],
  [
    "Matroska that is no WebM",
    "\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x88matroska",
  ],
])("%s is nothing that we know", (_name, head) => {
  expect(sniff(head === "" ? Buffer.alloc(0) : bytes(head))).toBeNull();
});

test("a file of a few bytes is sniffed without reading beyond its end", () => {
  for (const head of ["B", "BM", "\xff", "\xff\xfb", "RIFF", "\x1aE\xdf\xa3", "\0\0\0\x08fty"])
    expect(sniff(Buffer.from(head, "latin1"))).toBeNull();
});

test("every kind has an ending of its own, and none is a page or a script", () => {
  expect(Object.keys(contentTypes)).toHaveLength(9);
  for (const type of Object.values(contentTypes)) expect(type).toMatch(/^(image|video|audio)\//);
});
