import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { print } from "@zoetrope/testkit/print.ts";

interface TableSize {
  name: string;
  rows: number;
  bytes: number;
}

/** Prints what the tasks in a database take there, by table, with indexes; partitions count as their table. */
export async function printFootprint(databaseUrl: string): Promise<void> {
  const { tables, tasks } = await withClient(databaseUrl, async (client) => {
    await client.query("analyze");
    const { rows } = await client.query<TableSize>(
      `select coalesce(parent.relname, c.relname) as name,
              sum(greatest(c.reltuples, 0))::float8 as rows,
              sum(pg_total_relation_size(c.oid))::float8 as bytes
       from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
       left join pg_inherits i on i.inhrelid = c.oid left join pg_class parent on parent.oid = i.inhparent
       where c.relkind = 'r' group by 1 order by 3 desc`,
    );
    const { rows: counted } = await client.query<{ tasks: number }>(
      "select count(*)::int as tasks from tasks",
    );
    return { tables: rows, tasks: counted[0]?.tasks ?? 0 };
  });
  const large = tables.filter(({ bytes }) => bytes / tasks >= 100);
  print(`| table, per task of ${tasks} | rows | bytes |\n| --- | --- | --- |`);
  for (const { name, rows, bytes } of large)
    print(`| ${name} | ${(rows / tasks).toFixed(2)} | ${(bytes / tasks).toFixed(0)} |`);
  const sum = (of: "rows" | "bytes") => tables.reduce((total, table) => total + table[of], 0);
  print(`| all | ${(sum("rows") / tasks).toFixed(2)} | ${(sum("bytes") / tasks).toFixed(0)} |`);
}
