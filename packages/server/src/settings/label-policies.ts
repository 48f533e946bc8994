/** What a value of the setting LABELS asks of every output that a model made. */
interface LabelPolicy {
  /** The implicit label, in the metadata. */
  implicit: boolean;
  /** A text that viewers see. */
  visible: boolean;
  /** A certificate, with which every file is signed. Without it files are signed where one is set. */
  needsCertificate: boolean;
  /** The days for which records of tasks and events are kept. Null: as long as the settings say. */
  recordDaysMin: number | null;
}

export const labelPolicyNames = ["implicit", "eu", "cn", "none"] as const;

export type LabelPolicyName = (typeof labelPolicyNames)[number];

export const labelPolicies: Readonly<Record<LabelPolicyName, LabelPolicy>> = {
  implicit: { implicit: true, visible: false, needsCertificate: false, recordDaysMin: null },
  eu: { implicit: true, visible: false, needsCertificate: true, recordDaysMin: null },
  cn: { implicit: true, visible: true, needsCertificate: false, recordDaysMin: 180 },
  none: { implicit: false, visible: false, needsCertificate: false, recordDaysMin: null },
};

/** The vendors that draw a mark of their own where they are asked to. */
export const markingVendors = ["ark", "dashscope"] as const;
