import type { AccountId, DeliveryId, TaskId, TransferId } from "../ids.ts";

/**
 * The functions of `migrations/functions` that the service calls: their arguments without `p_`, and the
 * columns of the row that they return. A test compares all of this with the database, line by line.
 */
export interface SqlFunctions {
  advance_fence: {
    takes: {
      known: number;
      every_ms: number;
    };
    returns: {
      position: number;
      advanced_at: Date;
      is_behind: boolean;
      has_advanced: boolean;
    };
  };
  begin_lots: {
    takes: {
      account_id: AccountId;
    };
    returns: {
      is_begun: boolean;
    };
  };
  clear_old_requests: {
    takes: object;
    returns: {
      had_rows: boolean;
    };
  };
  create_partition: {
    takes: {
      parent: string;
      month: Date;
      rows_max: number;
    };
    returns: {
      is_complete: boolean;
    };
  };
  expire_lots: {
    takes: {
      account_id: AccountId;
      transfer_id: TransferId;
    };
    returns: {
      expired: number;
    };
  };
  finish_task: {
    takes: {
      task_id: TaskId;
      status: string;
      output: string | null;
      error_code: string | null;
      error_message: string | null;
      completed_at: Date | null;
      settlement_id: string;
      event_id: string;
      body: string;
    };
    returns: {
      is_finished: boolean;
    };
  };
  forget_freed_outputs: {
    takes: {
      rows_max: number;
    };
    returns: {
      rows_deleted: number;
    };
  };
  lower_hold: {
    takes: {
      task_id: TaskId;
      transfer_id: TransferId;
      credits: number;
      lines: string;
    };
    returns: {
      is_lowered: boolean;
    };
  };
  needs_second_person: {
    takes: {
      account_id: AccountId;
      asked_kind: string;
      asked_by: string;
      credits: number;
    };
    returns: {
      needs_second_person: boolean;
    };
  };
  post_transfer: {
    takes: {
      cause_id: string;
      kind: string;
      transfer_id: TransferId;
      account_id: AccountId;
      amount: number;
      note: string | null;
      expires_at: Date | null;
    };
    returns: object;
  };
  purge_prompts: {
    takes: {
      table: string;
      before: Date;
      rows_max: number;
    };
    returns: {
      rows_read: number;
    };
  };
  queue_event: {
    takes: {
      account_id: AccountId;
      event_id: DeliveryId;
      type: string;
      data: string;
    };
    returns: {
      queued: number;
    };
  };
  raise_hold: {
    takes: {
      task_id: TaskId;
      transfer_id: TransferId;
      credits: number;
      lines: string;
    };
    returns: {
      is_raised: boolean;
    };
  };
  take_allowance: {
    takes: {
      account_id: AccountId;
      kind: string;
      wanted: number;
      per_minute_max: number;
    };
    returns: {
      granted: number;
      retry_after_ms: number;
    };
  };
  take_daily_allowance: {
    takes: {
      account_id: AccountId;
      kind: string;
      wanted: number;
      per_day_max: number;
    };
    returns: {
      is_granted: boolean;
      retry_after_ms: number;
    };
  };
}

/**
 * Those that take rows as JSON objects, with how to wait for locks, and return a row for each: see
 * `callBatch`, which adds `place` and reads `is_busy`. A field is written here, where its function lists
 * what it reads from the JSON, and where its value comes from.
 */
export interface BatchFunctions {
  accept_tasks: {
    takes: {
      account_id: AccountId;
      key_id: string | null;
      task_id: TaskId;
      hold_id: TransferId;
      kind: string;
      model: string;
      request: unknown;
      price_schedule: string;
      price_version: number;
      discount: number;
      price_lines: unknown;
      account_book: string | null;
      price_from: Date;
      price_until: Date | null;
      credits: number;
      credits_max: number | null;
      callback_url: string | null;
      vendor_account: string;
      age_max_ms: number;
      wake_again_ms: number;
      idempotency_key: string | null;
      fingerprint: string | null;
      traceparent: string | null;
    };
    returns: {
      outcome: string;
      task_id: TaskId | null;
      amount: number | null;
      amount_max: number | null;
    };
  };
  bind_jobs: {
    takes: {
      task_id: TaskId;
      job_id: string;
      poll_ms: number;
      submitted_at: Date | null;
      is_answer: boolean;
    };
    returns: {
      is_bound: boolean;
    };
  };
  claim_submits: {
    takes: {
      task_id: TaskId;
      vendor_account: string;
      grace_ms: number;
      is_at_work: boolean;
      claim_id: string | null;
      known: number | null;
      vendor_model: string | null;
      cost_facts: unknown;
      cost: unknown;
    };
    returns: {
      started_at: Date | null;
    };
  };
  finish_tasks: {
    takes: {
      task_id: TaskId;
      status: string;
      output: unknown;
      error_code: string | null;
      error_message: string | null;
      completed_at: Date | null;
      settlement_id: string;
      event_id: string;
      body: string;
    };
    returns: {
      is_finished: boolean;
    };
  };
  record_attempts: {
    takes: {
      delivery_id: DeliveryId;
      number: number;
      status: number | null;
      reason: string | null;
      duration_ms: number;
      again_ms: number | null;
      is_delivered: boolean;
    };
    returns: object;
  };
  save_ends: {
    takes: {
      task_id: TaskId;
      result_url: string | null;
      failure_code: string | null;
      detail: string | null;
      usage: unknown;
      cost: unknown;
    };
    returns: object;
  };
}

/** A row as it is sent. */
export type BatchRow<Name extends keyof BatchFunctions> = BatchFunctions[Name]["takes"];
