import { z } from "zod";
import { languages } from "../db/tables/people.ts";
import { memberRoles, staffRoles } from "../ids.ts";
import { invitationMails } from "./invitation-mail.ts";

const passwordLengthMax = 200;
const nameLengthMax = 100;

export const email = z.email().max(254).meta({ description: "An e-mail address." });
/** The password as it was typed. Its minimum length is checked only where a password is set. */
const password = z.string().min(1).max(passwordLengthMax);
const newPassword = password.meta({ description: "At least 12 characters." });
const name = z
  .string()
  .trim()
  .min(1)
  .max(nameLengthMax)
  .regex(/^\P{C}+$/u, "must not contain control characters")
  .meta({ description: "How the person is called." });
const language = z.enum(languages).meta({ description: "The language of mails." });
const token = z.string().max(100).meta({ description: "From the fragment of the link." });
const time = z.iso.datetime();
export const nothing = z.object({}).meta({ description: "An empty object." });

export const signInBody = z
  .object({ email, password })
  .strict()
  .meta({ examples: [{ email: "maria@example.com", password: "correct horse battery staple" }] });
export const signInAnswer = z.object({
  status: z.enum(["signed_in", "second_factor_required"]).meta({
    description: "With `second_factor_required` the session is good for the second factor only.",
  }),
});

export const resetRequestBody = z
  .object({ email })
  .strict()
  .meta({ examples: [{ email: "maria@example.com" }] });
export const resetBody = z
  .object({ token, password: newPassword })
  .strict()
  .meta({
    examples: [
      {
        token: "PEaenWxYddN6Q_NT1PiOYfz4EsZu7jRXRlpAsNpBU-A",
        password: "correct horse battery staple",
      },
    ],
  });
const ways = z.array(
  z.object({
    kind: z.enum(["passkey", "company", "authenticator"]),
    name: z.string(),
    createdAt: time,
  }),
);
export const resetAnswer = z.object({
  removed: ways.meta({
    description:
      "Passkeys and company sign-ins that were added while a session that has now ended was open: somebody else may have added them.",
  }),
  kept: ways.meta({
    description: "What is left beside the password. Remove what you do not know.",
  }),
});
export const tokenBody = z
  .object({ token })
  .strict()
  .meta({ examples: [{ token: "PEaenWxYddN6Q_NT1PiOYfz4EsZu7jRXRlpAsNpBU-A" }] });

export const invitationAnswer = z.object({
  email: z.string(),
  role: z.enum([...memberRoles, ...staffRoles]),
  accountName: z
    .string()
    .nullable()
    .meta({ description: "Null: an invitation to the staff of this deployment." }),
  isKnown: z.boolean().meta({ description: "False: accepting it needs `name` and `password`." }),
});
export const acceptBody = z
  .object({
    token,
    name: name.optional(),
    password: newPassword.optional(),
    language: language.optional(),
  })
  .strict()
  .meta({
    examples: [
      {
        token: "PEaenWxYddN6Q_NT1PiOYfz4EsZu7jRXRlpAsNpBU-A",
        name: "Maria Example",
        password: "correct horse battery staple",
        language: "en",
      },
    ],
  });
export const acceptAnswer = z.object({
  status: z.enum(["signed_in", "joined"]).meta({
    description: "`joined`: the person existed already and signs in as usual.",
  }),
});

export const me = z.object({
  personId: z.string(),
  email: z.string(),
  name: z.string(),
  language,
  accounts: z
    .array(
      z.object({
        accountId: z.string(),
        name: z.string(),
        role: z.enum(memberRoles),
        testAccountId: z.string().nullable().meta({
          description:
            "The test account, for the header `Zoetrope-Account`; null if there is none.",
        }),
      }),
    )
    .meta({ description: "At most 100." }),
  staffRole: z
    .enum(staffRoles)
    .nullable()
    .meta({ description: "The role in the deployment; null for customers." }),
});
export const meBody = z
  .object({ name: name.optional(), language: language.optional() })
  .strict()
  .meta({ examples: [{ name: "Maria Example", language: "zh" }] });
const ownPassword = password.optional().meta({ description: "Required of a person who has one." });
export const passwordBody = z
  .object({ currentPassword: ownPassword, newPassword })
  .strict()
  .meta({
    examples: [
      {
        currentPassword: "correct horse battery staple",
        newPassword: "a longer phrase, typed by hand",
      },
    ],
  });
export const emailBody = z
  .object({ email, password: ownPassword })
  .strict()
  .meta({
    examples: [{ email: "maria.example@example.com", password: "correct horse battery staple" }],
  });

export const sessionsAnswer = z.object({
  sessions: z
    .array(
      z.object({
        sessionId: z.string(),
        address: z.string().nullable(),
        userAgent: z.string().nullable(),
        createdAt: time,
        lastUsedAt: time.meta({ description: "To the minute." }),
        expiresAt: time,
        isCurrent: z.boolean().meta({ description: "The session of this request." }),
      }),
    )
    .meta({ description: "Newest first; at most 20." }),
});
export const sessionQuery = z.object({ sessionId: z.string().max(100) }).strict();
export const endedAnswer = z.object({
  ended: z.int().meta({ description: "How many sessions were ended." }),
});

const person = { personId: z.string(), email: z.string(), name: z.string(), createdAt: time };
const invitation = {
  invitationId: z.string(),
  email: z.string(),
  invitedBy: z
    .string()
    .nullable()
    .meta({ description: "The person; null: an operator's command." }),
  createdAt: time,
  expiresAt: time,
  mail: z.enum(invitationMails).meta({
    description:
      "`refused`: the mail server does not take mail to this address. `link`: handed over as a link. `off`: not sent, because no mail server is set.",
  }),
};
const memberRole = z.enum(memberRoles).meta({ description: "Each role includes those after it." });
const staffRole = z.enum(staffRoles);

export const membersAnswer = z.object({
  members: z
    .array(z.object({ ...person, role: memberRole }))
    .meta({ description: "At most 200, with open invitations." }),
});
export const invitationsAnswer = z.object({
  invitations: z.array(z.object({ ...invitation, role: memberRole })),
});
export const staffAnswer = z.object({
  staff: z.array(z.object({ ...person, role: staffRole })).meta({ description: "At most 500." }),
  invitations: z.array(
    z.object({
      ...invitation,
      role: staffRole,
      awaitsApproval: z.boolean().meta({
        description: "Of an operator: it is mailed when another operator has approved it.",
      }),
    }),
  ),
});

export const inviteBody = z
  .object({ email, role: memberRole })
  .strict()
  .meta({ examples: [{ email: "li@example.com", role: "developer" }] });
const asLink = z.boolean().default(false).meta({
  description: "No mail is sent, and the response has the link. Only where no mail server is set.",
});
export const inviteToBody = z
  .object({ accountId: z.string().max(100), email, role: memberRole, asLink })
  .strict();
export const inviteStaffBody = z.object({ email, role: staffRole, asLink }).strict();
export const invitedAnswer = z.object({
  invitationId: z.string(),
  mail: z.enum(invitationMails),
});
const madeUrl = z.string().optional().meta({ description: "With `asLink`: works once." });
export const invitedToAnswer = invitedAnswer.extend({ url: madeUrl });
export const invitedStaffAnswer = invitedAnswer.extend({
  awaitsApproval: z
    .boolean()
    .meta({ description: "True: another operator has to approve it. There is no link before." }),
  url: madeUrl,
});
export const approveInvitationBody = z
  .object({ invitationId: z.string().max(100), asLink })
  .strict();
export const approvedInvitationAnswer = z.object({ url: madeUrl });
export const invitationQuery = z.object({ invitationId: z.string().max(100) }).strict();
export const memberParams = z.object({
  accountId: z.string().max(100),
  personId: z.string().max(100),
});
export const removeAuthenticatorBody = z.strictObject({ email });
export const signOutBody = z.strictObject({
  email,
  removesWays: z.boolean().default(false).meta({
    description:
      "Whether password, passkeys, company sign-ins and authenticator app are removed: a mailed link sets a new password. Service keys of the person end, too.",
  }),
});
export const signOutAnswer = z.object({
  ended: z.int().meta({ description: "Sessions that ended." }),
  hasPassword: z.boolean(),
  ways: z
    .array(
      z.object({
        kind: z.enum(["passkey", "company", "authenticator"]),
        name: z.string(),
        createdAt: time,
      }),
    )
    .meta({ description: "How the person can, or could, sign in beside the password." }),
});
export const personQuery = z.object({ personId: z.string().max(100) }).strict();
export const memberBody = z
  .object({ personId: z.string().max(100), role: memberRole })
  .strict()
  .meta({ examples: [{ personId: "01a1c0de-55b2-7e10-8001-2f9d3b6c4e8a", role: "viewer" }] });
export const staffBody = z.object({ personId: z.string().max(100), role: staffRole }).strict();
