/** A word in every prompt, so that prompts can be recognised where they must not be. */
export const promptMark = "lanternfish";

/** Secrets that may be in no log and in no file of the engine. */
export const secrets = [
  { name: "an API key", mark: "zoe_live_" },
  { name: "a webhook secret", mark: "whsec_" },
  { name: "a prompt", mark: promptMark },
  { name: "a vendor callback URL", mark: "/vendors/ark/" },
  { name: "a link of the vendor's", mark: "/videos/" },
];
