import { type Language, recall, type Text } from "../errors.ts";
import { fetchFaultTexts } from "../media/fetch/url-fault-texts.ts";
import { fileFaultTexts } from "../media/probe/file-fault-texts.ts";
import { refusalReasons } from "./review/reasons.ts";

const notPassed = { en: "The review did not pass. ", zh: "审核未通过。" };

/** The reason shown for an asset that passed and was revoked. The actual reason is for operators. */
export const revokedReason = {
  en: "The asset was revoked after its review had passed. Ask the operator of the service.",
  zh: "该素材在审核通过后被撤销。请联系服务运营方。",
};

/** The faults of an upload in chunks. */
const uploads: readonly Text[] = [
  {
    en: "Some of the uploaded chunks are no longer stored. Upload the file again.",
    zh: "部分已上传的分块已不再保存。请重新上传文件。",
  },
  {
    en: "The SHA-256 of the file does not match the one given. Upload it again.",
    zh: "文件的 SHA-256 与提供的不一致。请重新上传。",
  },
];

/** Sentences of failed assets, with a place for what follows. */
const sentences: readonly Text[] = [
  {
    en: "The storage of this account is full. Delete assets and upload the file again.",
    zh: "此账户的存储空间已满。请删除素材后重新上传文件。",
  },
  {
    en: "The output no longer exists: it was deleted, or it has expired.",
    zh: "该输出已不存在：已被删除或已过期。",
  },
  ...uploads,
  ...within("The form of the declaration: {0}", "授权书：{0}", uploads),
  {
    en: "The form of the declaration is not a PDF, PNG, JPEG or WebP file, or is damaged.",
    zh: "授权书不是 PDF、PNG、JPEG 或 WebP 文件，或已损坏。",
  },
  {
    en: "The file is of type {0}, but was uploaded as {1}.",
    zh: "文件类型是 {0}，但上传时声明为 {1}。",
  },
  ...within("The file could not be fetched: {0}.", "无法获取文件：{0}。", fetchFaultTexts),
  ...within("The file {0}.", "文件{0}。", fileFaultTexts),
  revokedReason,
];

/** A sentence with each of the texts in its place. */
function within(en: string, zh: string, texts: readonly Text[]): Text[] {
  return texts.map((text) => ({ en: en.replace("{0}", text.en), zh: zh.replace("{0}", text.zh) }));
}

/** The beginnings of the sentences of refusals; a reviewer's text follows. */
const beginnings = Object.values(refusalReasons);

/**
 * Returns the reason why an asset failed in a language. It is stored in English; a reviewer's own words
 * stay as they are.
 */
export function failReasonIn(language: Language, stored: string): string {
  if (language === "en") return stored;
  const isReview = stored.startsWith(notPassed.en);
  const reason = isReview ? stored.slice(notPassed.en.length) : stored;
  const known = beginnings.find(({ en }) => reason.startsWith(en));
  if (known === undefined)
    return (isReview ? notPassed.zh : "") + recall(sentences, language, reason);
  const rest = reason.slice(known.en.length).replace(/^: /, "：").replace(/^\.$/, "");
  const text = `${isReview ? notPassed.zh : ""}${known.zh}${rest}`;
  return /[。.]$/.test(text) ? text.replace(/\.$/, "。") : `${text}。`;
}
