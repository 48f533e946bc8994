import type { Generated } from "kysely";
import type { AccountId, LabelAgreementId, TaskId } from "../../ids.ts";
import type { StaffKind } from "./admin.ts";

export interface LabelTables {
  label_agreements: {
    id: LabelAgreementId;
    account_id: AccountId;
    /** Who agreed for the customer. */
    agreed_by: string;
    agreed_at: Date;
    text: string;
    recorded_kind: StaffKind;
    recorded_by: string;
    created_at: Generated<Date>;
    ended_at: Generated<Date | null>;
    ended_kind: Generated<StaffKind | null>;
    ended_by: Generated<string | null>;
    end_reason: Generated<string | null>;
  };
  /** Written by `finish_task`. */
  freed_outputs: {
    task_id: TaskId;
    number: number;
    account_id: AccountId;
    agreement_id: LabelAgreementId;
    sha256: Buffer;
    delivered_at: Date;
  };
}
