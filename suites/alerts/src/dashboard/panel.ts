/** A query of a panel to Prometheus: an expression and the name of its lines. */
export interface Query {
  readonly expression: string;
  /** `{{label}}` is filled in by Grafana. */
  readonly legend: string;
  /** Shows the traces of a histogram's buckets as points. */
  readonly hasExemplars?: boolean;
}

export type PanelUnit = "short" | "s" | "bytes" | "reqps" | "percentunit";

export interface Panel {
  readonly kind: "timeseries" | "stat";
  readonly title: string;
  /** The conclusion that a reader should draw from it. */
  readonly about: string;
  readonly unit: PanelUnit;
  readonly queries: readonly Query[];
  /** The value from which it is red. */
  readonly redFrom?: number;
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

export const dataSource = { type: "prometheus", uid: "$datasource" };
const columns = 24;
const height = 8;

/** The panels of a row side by side, as wide as they can be. */
export function placeRows(rows: readonly Row[]): object[] {
  const placed: object[] = [];
  let y = 0;
  for (const { title, panels } of rows) {
    placed.push({
      id: placed.length + 1,
      type: "row",
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: columns, h: 1 },
      panels: [],
    });
    const w = Math.floor(columns / panels.length);
    for (const [index, panel] of panels.entries())
      placed.push(renderPanel(panel, placed.length + 1, { x: index * w, y: y + 1, w, h: height }));
    y += 1 + height;
  }
  return placed;
}

function renderPanel(
  { kind, title, about, unit, queries, redFrom }: Panel,
  id: number,
  gridPos: object,
) {
  const steps = [
    { color: "green", value: null },
    ...(redFrom === undefined ? [] : [{ color: "red", value: redFrom }]),
  ];
  return {
    id,
    type: kind,
    title,
    description: about,
    datasource: dataSource,
    gridPos,
    fieldConfig: {
      defaults: { unit, min: 0, thresholds: { mode: "absolute", steps } },
      overrides: [],
    },
    options:
      kind === "stat"
        ? {
            reduceOptions: { calcs: ["lastNotNull"], fields: "", values: false },
            colorMode: "value",
          }
        : {
            legend: { displayMode: "list", placement: "bottom", showLegend: true },
            tooltip: { mode: "multi", sort: "desc" },
          },
    targets: queries.map(({ expression, legend, hasExemplars = false }, index) => ({
      refId: String.fromCharCode("A".charCodeAt(0) + index),
      datasource: dataSource,
      expr: expression,
      legendFormat: legend,
      exemplar: hasExemplars,
      range: true,
    })),
  };
}
