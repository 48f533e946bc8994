import { z } from "zod";
import { memberRoles, staffRoles } from "../actor.ts";
import { languages } from "../db/tables/people.ts";

const passwordLengthMax = 200;
const nameLengthMax = 100;

export const email = z.email().max(254).meta({ description: "An e-mail address." });
/** As it was typed: whether it is long enough is asked only where one is set. */
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
export const nothing = z.object({}).meta({ description: "Nothing to tell." });

export const signInBody = z.object({ email, password }).strict();
export const signInAnswer = z.object({
  status: z.enum(["signed_in", "second_factor_required"]).meta({
    description: "With `second_factor_required` the session is good for the second factor only.",
  }),
});

export const resetRequestBody = z.object({ email }).strict();
export const resetBody = z.object({ token, password: newPassword }).strict();
export const tokenBody = z.object({ token }).strict();

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
  .strict();
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
export const meBody = z.object({ name: name.optional(), language: language.optional() }).strict();
export const passwordBody = z.object({ currentPassword: password, newPassword }).strict();
export const emailBody = z.object({ email, password }).strict();

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
  invitations: z.array(z.object({ ...invitation, role: staffRole })),
});

export const inviteBody = z.object({ email, role: memberRole }).strict();
export const inviteToBody = z
  .object({ accountId: z.string().max(100), email, role: memberRole })
  .strict();
export const inviteStaffBody = z.object({ email, role: staffRole }).strict();
export const invitedAnswer = z.object({ invitationId: z.string() });
export const invitationQuery = z.object({ invitationId: z.string().max(100) }).strict();
export const personQuery = z.object({ personId: z.string().max(100) }).strict();
export const memberBody = z.object({ personId: z.string().max(100), role: memberRole }).strict();
export const staffBody = z.object({ personId: z.string().max(100), role: staffRole }).strict();
