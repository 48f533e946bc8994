import { expect, test } from "vitest";
import { newId, type TaskId } from "../ids.ts";
import { aigcOf, parseAigc } from "./aigc.ts";

const taskId = newId<TaskId>(0);
const read = (text: string) => parseAigc(text);

test("a file without a label gets ours, with the members and the order of the standard", () => {
  expect(aigcOf("Acme", taskId, null)).toBe(
    `{"Label":"1","ContentProducer":"Acme","ProduceID":"${taskId}","ReservedCode1":"","ContentPropagator":"","PropagateID":"","ReservedCode2":""}`,
  );
});

test("a vendor's label keeps its producer and its own members, and names us as propagator", () => {
  const theirs = {
    Label: "1",
    ContentProducer: "001191610133596325171T12566",
    ProduceID: "v-1",
    ReservedCode1: "seal",
    Extra: "x",
  };
  expect(read(aigcOf("Acme", taskId, JSON.stringify(theirs)))).toEqual({
    ...theirs,
    ContentPropagator: "Acme",
    PropagateID: taskId,
    ReservedCode2: "",
  });
});

test("a propagator that is named stays", () => {
  const theirs = { ContentProducer: "A", ContentPropagator: "B", PropagateID: "b" };
  expect(read(aigcOf("Acme", taskId, JSON.stringify(theirs)))).toMatchObject(theirs);
});

test("a label without a producer gets ours, and keeps what it says", () => {
  const merged = read(aigcOf("Acme", taskId, JSON.stringify({ Label: "2", ContentProducer: "" })));
  expect(merged).toMatchObject({ Label: "2", ContentProducer: "Acme", ProduceID: taskId });
});

test("a file that is labelled twice for one task has the label of the first time", () => {
  const once = aigcOf("Acme", taskId, null);
  expect(aigcOf("Acme", taskId, once)).toBe(once);
});

test.each(["", "null", "[1]", "{}", "{", '"text"', `{"Label":"${"x".repeat(9_000)}"}`])(
  "what is no label, such as %j, is replaced by ours",
  (before) => {
    expect(aigcOf("Acme", taskId, before)).toBe(aigcOf("Acme", taskId, null));
  },
);
