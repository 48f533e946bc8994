/** What a value of the setting LABELS asks of every output that a model made. */
interface LabelPolicy {
  /** The implicit label, in the metadata. */
  implicit: boolean;
  /** A text that viewers see. */
  visible: boolean;
  /** A certificate, with which every file is signed. Without it files are signed where one is set. */
  needsCertificate: boolean;
}

export const labelPolicyNames = ["implicit", "eu", "cn", "none"] as const;

export const labelPolicies: Readonly<Record<(typeof labelPolicyNames)[number], LabelPolicy>> = {
  implicit: { implicit: true, visible: false, needsCertificate: false },
  eu: { implicit: true, visible: false, needsCertificate: true },
  cn: { implicit: true, visible: true, needsCertificate: false },
  none: { implicit: false, visible: false, needsCertificate: false },
};

/** The vendors that draw a mark of their own where they are asked to. */
export const markingVendors = ["ark", "dashscope"] as const;
