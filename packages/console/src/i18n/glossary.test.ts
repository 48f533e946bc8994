import { expect, test } from "vitest";
import { texts as english } from "./en/texts.ts";
import { texts as chinese } from "./zh/texts.ts";

/** Each thing has one word: credits 积分, upscale 超分, sandbox 沙盒, image 图片, aspect ratio 宽高比, waiting 等待中, running 运行中. */
const otherWords = {
  zh: /点数|放大|沙箱|图像|画面比例|长宽比|帐户|账号|排队中|生成中|^进行中$/,
  en: /\bif omitted\b|\bfalse gives\b|\bWhether to\b|^(pending|processing|working|in progress)$|\bworked\b/i,
};

function* textsIn(part: object, path = ""): Generator<[path: string, text: string]> {
  for (const [name, value] of Object.entries(part))
    if (typeof value === "string") yield [`${path}${name}`, value];
    else yield* textsIn(value, `${path}${name}.`);
}

test.each([
  ["zh", chinese],
  ["en", english],
] as const)("the texts in %s have one word for each thing", (language, texts) => {
  const found = [...textsIn(texts)].filter(([, text]) => otherWords[language].test(text));
  expect(found).toEqual([]);
});

test("a state has one name wherever it is shown", () => {
  for (const { playground, gallery, operations, money } of [english, chinese]) {
    expect(gallery.timeline.legendWaiting).toBe(gallery.status.PENDING);
    expect(gallery.timeline.legendWorking).toBe(gallery.status.PROCESSING);
    expect(money.completed).toBe(gallery.status.COMPLETED);
    expect(money.failed).toBe(gallery.status.FAILED);
    expect(playground.status).toEqual(gallery.status);
    expect(operations.taskStatus).toEqual(gallery.status);
  }
});
