import type { Generated } from "kysely";
import type { AccountId, KeyId, TaskId } from "../../ids.ts";

export interface MaintenanceTables {
  fence: {
    is_only: Generated<boolean>;
    position: Generated<number>;
    advanced_at: Generated<Date>;
    behind_since: Date | null;
  };
  current_key: {
    is_only: Generated<boolean>;
    key_id: string | null;
    earlier_ids: Generated<string[]>;
    changed_at: Generated<Date>;
  };
  review_reminders: {
    is_only: Generated<boolean>;
    sent_at: Generated<Date>;
  };
  stuck_rows: {
    loop: string;
    key: string;
    account_id: AccountId | null;
    failures: number;
    first_failed_at: Generated<Date>;
    last_failed_at: Generated<Date>;
    next_try_at: Date;
    parked_at: Date | null;
    reason: string;
  };
  engine_partitions: {
    partition: number;
    asked_at: Generated<Date>;
    answered_at: Generated<Date>;
  };
  dropped_ranges: {
    parent: string;
    from_id: string;
    to_id: string;
    dropped_at: Generated<Date>;
  };
  dropped_key_credits: {
    key_id: KeyId;
    credits: number;
  };
  purge_progress: {
    name: string;
    up_to: string;
  };
  unpurged_tasks: {
    task_id: TaskId;
  };
}
