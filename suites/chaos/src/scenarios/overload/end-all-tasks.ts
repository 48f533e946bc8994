import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { endTasksAtOnce, type OpenTask } from "../../kit/end-tasks-at-once.ts";

const atOnceMax = 1_000;

/** Ends every open task by the function that a worker calls; gives how many. All fail: that needs no video. */
export function endAllTasks(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (db) => {
    await db.query("analyze");
    for (let ended = 0; ; ) {
      const { rows } = await db.query<OpenTask>(
        `select o.task_id as "taskId", (extract(epoch from t.created_at) * 1000)::float8 as "createTime"
         from open_tasks o join tasks t on t.id = o.task_id order by o.task_id limit ${atOnceMax}`,
      );
      if (rows.length === 0) return ended;
      await endTasksAtOnce(db, rows);
      ended += rows.length;
    }
  });
}
