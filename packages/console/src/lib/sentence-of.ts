import type { ZoetropeError } from "@zoetrope/sdk";
import i18next from "i18next";

/** The client's own messages about a call, which the service could not give in the language of the page. */
const ownSentences = {
  no_answer: "noAnswer",
  upload_interrupted: "uploadInterrupted",
  cut_off: "cutOff",
  file_unavailable: "fileUnavailable",
  output_gone: "outputGone",
  file_empty: "fileEmpty",
  file_too_large: "fileTooLarge",
} as const;

const isOwn = (code: string): code is keyof typeof ownSentences =>
  Object.hasOwn(ownSentences, code);

/** The sentence of an error in the language of the page. */
export function sentenceOf({ code, message }: ZoetropeError): string {
  return isOwn(code) ? i18next.t(`error.client.${ownSentences[code]}`) : message;
}
