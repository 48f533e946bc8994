import type {
  ApproveAssetAnswer,
  ClaimNextReviewsAnswer,
  ListRefusalReasonsAnswer,
  ListReviewQueueAnswer,
  RenewClaimsAnswer,
  UndoReviewAnswer,
} from "@zoetrope/sdk/admin";
import { client, get, post } from "../../lib/client.ts";

const path = "/api/admin/v1/review";

export type Reason = ListRefusalReasonsAnswer["reasons"][number];
export type Queue = ListReviewQueueAnswer["queue"];

export type Judgement =
  | { verdict: "approve" }
  | { verdict: "refuse"; code: Reason["code"]; text: string | null };

export const calls = {
  reasons: (signal?: AbortSignal) =>
    get<ListRefusalReasonsAnswer>(client, `${path}/reasons`, {}, signal),
  claimed: () => get<ListReviewQueueAnswer>(client, path, { mine: "true" }),
  claimNext: (count: number) =>
    post<ClaimNextReviewsAnswer>(client, `${path}/claim-next`, { count }),
  renew: () => post<RenewClaimsAnswer>(client, `${path}/renew`),
  release: (assetIds: number[]) => post(client, `${path}/release`, { assetIds }),
  judge: (assetId: number, judgement: Judgement) => {
    if (judgement.verdict === "approve")
      return post<ApproveAssetAnswer>(client, `${path}/approve`, { assetId });
    const { code, text } = judgement;
    return post<ApproveAssetAnswer>(client, `${path}/refuse`, { assetId, code, text });
  },
  undo: (assetId: number) => post<UndoReviewAnswer>(client, `${path}/undo`, { assetId }),
};

export type Calls = typeof calls;
