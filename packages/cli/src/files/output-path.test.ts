import { expect, test } from "vitest";
import { checkTemplate, outputPath } from "./output-path.ts";

const named = { taskId: "01a1-b", model: "sd2", index: 1, count: 1, mediaType: "video/mp4" };

test("a template names a file by its task, model, number and type", () => {
  expect(outputPath("out/{model}/{taskId}-{index}.{ext}", named)).toBe("out/sd2/01a1-b-1.mp4");
  expect(outputPath("boat.mp4", named)).toBe("boat.mp4");
});

test("what the service says cannot lead to another folder", () => {
  const hostile = { ...named, taskId: "../../etc/passwd", model: "a/b\\c", mediaType: "x/../y" };
  expect(outputPath("out/{taskId}-{model}.{ext}", hostile)).toBe("out/______etc_passwd-a_b_c.bin");
});

test("several files never share a path", () => {
  const paths = [1, 2].map((index) => outputPath("out.d/a.png", { ...named, index, count: 2 }));
  expect(paths).toEqual(["out.d/a-1.png", "out.d/a-2.png"]);
  expect(outputPath("out.d/a", { ...named, count: 2 })).toBe("out.d/a-1");
});

test("a name that is not known is refused before anything is paid for", () => {
  expect(() => checkTemplate("{task}.{ext}")).toThrow("{task}");
});
