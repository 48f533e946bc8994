import { fill, type Language, recall, type Text } from "../errors.ts";

const promptCut: Text = {
  en: "The prompt was cut after {0} characters: {1} accepts {2}, and each CJK character counts as two.",
  zh: "提示词在第 {0} 个字符后被截断：{1} 最多接受 {2} 个字符，每个中日韩字符按两个计算。",
};
const notUpscaled: Text = {
  en: "The model rendered {0}, which is not lower than {1}. The video was not upscaled.",
  zh: "模型生成的视频为 {0}，不低于 {1}，因此没有进行超分。",
};

/** Returns the note on a prompt that the model does not read to its end. */
export function promptCutNote(characters: number, model: string, unitsMax: number): string {
  return fill(promptCut.en, [characters, model, unitsMax]);
}

/** Returns the note on a video that already has the target size. */
export function notUpscaledNote(sides: string, target: string): string {
  return fill(notUpscaled.en, [sides, target]);
}

/** The English sentence of a note in a language. */
export function noteIn(language: Language, message: string): string {
  return recall([promptCut, notUpscaled], language, message);
}
