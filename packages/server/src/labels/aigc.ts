import type { TaskId } from "../ids.ts";

/** The members of the implicit label of GB 45438-2025, in the order of the standard. */
export interface Aigc {
  /** 1: generated. */
  Label: string;
  ContentProducer: string;
  ProduceID: string;
  ReservedCode1: string;
  ContentPropagator: string;
  PropagateID: string;
  ReservedCode2: string;
}

/** The IPTC terms for the part of a model in a file. */
export type SourceType = "trainedAlgorithmicMedia" | "compositeWithTrainedAlgorithmicMedia";

/** The implicit label of one file. */
export interface Label {
  /** JSON, as it is written into the file. */
  aigc: string;
  sourceType: SourceType;
}

/** Returns the label that a file gets, from the one that it carries. */
export type LabelFrom = (before: string | null) => Label;

/** A longer text is not a label: the members are names and identifiers. */
const aigcCharactersMax = 4_096;

/**
 * The label of a task's output. A label that is there already is kept: its producer stays the producer, and
 * we become the propagator unless it names one.
 */
export function aigcOf(producer: string, taskId: TaskId, before: string | null): string {
  const ours: Aigc = {
    Label: "1",
    ContentProducer: producer,
    ProduceID: taskId,
    ReservedCode1: "",
    ContentPropagator: "",
    PropagateID: "",
    ReservedCode2: "",
  };
  const theirs = before === null ? null : parseAigc(before);
  if (theirs === null) return JSON.stringify(ours);
  const { ContentProducer, ProduceID, ContentPropagator } = theirs;
  if (!ContentProducer) return JSON.stringify({ ...ours, ...withoutEmpty(theirs) });
  const isSameFile = ContentProducer === producer && ProduceID === taskId;
  const merged = { ...ours, ProduceID: "", ...theirs };
  if (isSameFile || ContentPropagator) return JSON.stringify(merged);
  return JSON.stringify({ ...merged, ContentPropagator: producer, PropagateID: taskId });
}

/** The members of a label; null if the text is none. Members that the standard does not name are kept. */
export function parseAigc(text: string): Partial<Record<string, string>> | null {
  if (text.length > aigcCharactersMax) return null;
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== "object" || read === null || Array.isArray(read)) return null;
    const members = Object.entries(read).flatMap(([name, value]): [string, string][] =>
      typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [],
    );
    return members.length === 0 ? null : Object.fromEntries(members);
  } catch {
    return null;
  }
}

function withoutEmpty(members: Partial<Record<string, string>>) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ""));
}
