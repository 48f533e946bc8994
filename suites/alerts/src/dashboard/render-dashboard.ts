import { dataSource, placeRows } from "./panel.ts";
import { rows } from "./rows.ts";

/** A dashboard of Grafana 10 and later, to be imported or provisioned. */
export function renderDashboard(): string {
  const dashboard = {
    uid: "zoetrope",
    title: "Zoetrope",
    description:
      "Made from suites/alerts/src/dashboard by `npm run generate`: change the code, not this.",
    tags: ["zoetrope"],
    schemaVersion: 39,
    editable: false,
    refresh: "30s",
    time: { from: "now-6h", to: "now" },
    timezone: "utc",
    templating: {
      list: [{ name: "datasource", label: "Data source", type: "datasource", query: "prometheus" }],
    },
    annotations: {
      list: [
        {
          name: "Alerts",
          datasource: dataSource,
          enable: true,
          expr: 'ALERTS{service="zoetrope",alertstate="firing"}',
          titleFormat: "{{alertname}}",
          iconColor: "red",
        },
      ],
    },
    panels: placeRows(rows),
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}
