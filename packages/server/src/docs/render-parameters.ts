import { fetchedMegabytesMax } from "../models/file-rules.ts";
import type { Model } from "../models/model.ts";
import { describeFiles } from "./files.ts";
import { renderTable } from "./markdown.ts";
import { type Cell, describeParameters } from "./parameters.ts";

/** Every parameter of every model in every mode, for readers. */
export function renderParameters(models: readonly Model[]): string {
  const cells = Map.groupBy(describeParameters(models), ({ parameter }) => parameter);
  const sections = [...cells].map(([parameter, ofParameter]) => {
    const rows = mergeModes(ofParameter).map(({ models, modes, accepted, answer }) => [
      models,
      modes,
      accepted === null ? "no" : accepted.isRequired ? "required" : "yes",
      accepted?.values ?? "-",
      accepted === null || accepted.isRequired ? "-" : (accepted.preset ?? "none"),
      answer.replace(`inputs.${parameter}: `, ""),
    ]);
    const head = [
      "model",
      "mode",
      "accepted",
      "values",
      "default",
      "message for a wrong value, or where it is not accepted",
    ];
    return `## \`inputs.${parameter}\`\n\n${renderTable(head, rows)}`;
  });
  return `# Parameters

The parameters of each model by mode. A wrong value, or a parameter that the mode does not accept, is refused with 400 and the message in the last column.

## Modes

The inputs select the mode.

${renderTable(
  ["model", "mode", "when"],
  models.flatMap(({ name, modes }) => modes.map((mode) => [name, mode.name, mode.when.en])),
)}
${sections.join("\n")}
## Files

The requirements for every file. An asset is checked when the task is created, and a violation is refused with 400 naming the input. A file at an external URL is checked while the task runs, which then fails with \`input_unusable\`. A megabyte is 1,048,576 bytes. A file at an external URL may have at most ${fetchedMegabytesMax} MB unless the table says otherwise.

${renderTable(
  ["model", "mode", "input", "every file"],
  describeFiles(models).map(({ model, mode, input, rules }) => [
    model,
    mode,
    `\`inputs.${input}\``,
    rules,
  ]),
)}`;
}

type Row = Pick<Cell, "accepted" | "answer"> & { models: string; modes: string };

/** One row for modes of a model that do the same. */
function mergeModes(cells: Cell[]): Row[] {
  const same = Map.groupBy(cells, ({ model, accepted, answer }) =>
    JSON.stringify([model, accepted, answer]),
  );
  const modesOf = Map.groupBy(cells, ({ model }) => model);
  return [...same.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const isAll = group.length === modesOf.get(first.model)?.length;
    const modes = isAll ? "all" : group.map(({ mode }) => mode).join(", ");
    return [{ models: first.model, modes, accepted: first.accepted, answer: first.answer }];
  });
}
