import { expect, test } from "vitest";
import { faultOf, typeOfFile } from "./file-type.ts";

const file = (name: string, type: string, sizeBytes: number) =>
  ({ name, type, size: sizeBytes }) as File;

test("the type of a file is what the browser says, else what its name says", () => {
  expect(typeOfFile({ name: "a.bin", type: "video/mp4" })).toBe("VIDEO");
  expect(typeOfFile({ name: "A.WAV", type: "" })).toBe("AUDIO");
  expect(typeOfFile({ name: "notes.txt", type: "text/plain" })).toBeNull();
});

test("a file that the service would refuse is not sent", () => {
  expect(faultOf(file("a.png", "image/png", 1))).toBeNull();
  expect(faultOf(file("a.pdf", "application/pdf", 1))).toBe("type");
  expect(faultOf(file("a.png", "image/png", 0))).toBe("empty");
  expect(faultOf(file("a.mp4", "video/mp4", 200 * 1024 * 1024 + 1))).toBe("size");
});
