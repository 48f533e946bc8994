import type { FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { type ErrorCode, errorCatalogue, type Language, languages, textOf } from "../errors.ts";
import { noteIn } from "./note-texts.ts";

export function languageOfRequest({ headers }: Pick<FastifyRequest, "headers">): Language {
  return languageOf(headers["accept-language"]);
}

/**
 * Returns the view of a task with the sentence of its failure, and its notes, in a language. The sentence
 * is stored in English, and its code identifies it in others. Another view is returned as it is.
 */
export function taskIn<View extends object>(source: View, language: Language): View {
  if (language === "en") return source;
  const view = withNotesIn(source, language);
  const { error, errorCode, errorMessage } = view as Record<string, unknown>;
  if (typeof error === "string") return { ...view, error: sentenceIn(language, errorCode, error) };
  if (typeof errorMessage === "string")
    return { ...view, errorMessage: sentenceIn(language, errorCode, errorMessage) };
  if (!isObject(error) || typeof error["message"] !== "string") return view;
  const message = sentenceIn(language, error["code"], error["message"]);
  return { ...view, error: { ...error, message } };
}

/** The notes of a task or a quote, if it has any. */
function withNotesIn<View extends object>(view: View, language: Language): View {
  if (!("notes" in view) || !Array.isArray(view.notes)) return view;
  const notes = view.notes.map((note: unknown) =>
    isObject(note) && typeof note["message"] === "string"
      ? { ...note, message: noteIn(language, note["message"]) }
      : note,
  );
  return { ...view, notes };
}

function sentenceIn(language: Language, code: unknown, stored: string): string {
  return isCode(code) && stored !== "" ? textOf(code, stored)[language] : stored;
}

function isCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(errorCatalogue, code);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the language that `Accept-Language` weighs highest; English where it names no supported one. */
export function languageOf(acceptLanguage: string | undefined): Language {
  const negotiator = new Negotiator({ headers: { "accept-language": acceptLanguage } });
  const accepted = negotiator.language(languages);
  return languages.find((one) => one === accepted) ?? "en";
}
