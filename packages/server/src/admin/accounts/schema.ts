import { z } from "zod";
import { invitationsAnswer, membersAnswer } from "../../people/schema.ts";
import { bookName } from "../../settings/settings.ts";
import { tailHoursMax } from "../../webhooks/schedule.ts";
import { actorView, nextCursor, pageQuery, time } from "../schema.ts";

const name = z.string().trim().min(1).max(200);
const openTasksMax = z.int().min(0).max(100_000).meta({ description: "Tasks at the same time." });

export const accountsQuery = z.strictObject({
  accountId: z.string().max(100).optional(),
  name: z.string().min(1).max(200).optional().meta({
    description: "The beginning of the name, in any case. Results are in order of names.",
  }),
  suspended: z
    .literal("true")
    .optional()
    .meta({ description: "Suspended accounts only. Not together with name." }),
  ...pageQuery,
});

const discount = z.strictObject({
  basisPoints: z.int().min(1).max(9_999).meta({ description: "Hundredths of a per cent." }),
  until: time.meta({ description: "Its end." }),
});

const accountShape = {
  accountId: z.string(),
  name: z.string(),
  state: z.enum(["active", "suspended", "closed"]),
  suspendedAt: time.nullable(),
  suspendedReason: z.string().nullable(),
  credits: z.int(),
  availableCredits: z.int().meta({ description: "`credits` minus the holds of open tasks." }),
  priceBook: z.string().nullable().meta({ description: "null: the book of the deployment." }),
  discount: discount.nullable().meta({ description: "null: none was agreed." }),
  openTasksMax: z.int(),
  testOf: z.string().nullable().meta({ description: "The account whose test account it is." }),
  createdAt: time,
};

export const accountsPage = z.object({
  items: z.array(z.object(accountShape).meta({ id: "StaffAccount" })),
  nextCursor,
});

const limit = z.int().nullable().meta({ description: "null: the limit of the deployment." });
export const noteView = z
  .object({ noteId: z.string(), note: z.string(), by: actorView, time })
  .meta({ id: "AccountNote" });

export const accountAnswer = z.object({
  ...accountShape,
  testAccountId: z.string().nullable(),
  webhookTailHours: z.int(),
  testMode: z.enum(["on", "off"]).meta({
    description: "`off`: no test key is issued or accepted. The deployment can switch it off, too.",
  }),
  storedBytes: z.int(),
  openAssetsMax: limit,
  openUploadsMax: limit,
  storedBytesMax: limit,
  notes: z.array(noteView).meta({ description: "The newest 20." }),
  ...membersAnswer.shape,
  ...invitationsAnswer.shape,
});

export const createAccountBody = z.strictObject({
  name,
  priceBook: bookName.optional(),
  openTasksMax: openTasksMax.optional(),
  asOwner: z.boolean().default(false).meta({ description: "Whether you become its owner." }),
});
export const createAccountAnswer = z.object({
  accountId: z.string(),
  webhookSecret: z.string().meta({ description: "Signs callbacks. Owners can read it." }),
});

export const changeAccountBody = z.strictObject({
  name: name.optional(),
  // Nullable on the outside: there null is a value.
  priceBook: bookName
    .optional()
    .nullable()
    .meta({ description: "null: the book of the deployment." }),
  discount: discount
    .optional()
    .nullable()
    .meta({ description: "In place of the one before; null: none from now on." }),
  openTasksMax: openTasksMax.optional(),
  webhookTailHours: z.int().min(0).max(tailHoursMax).optional(),
  testMode: z.enum(["on", "off"]).optional(),
  openAssetsMax: z.int().min(1).max(1_000_000).optional(),
  openUploadsMax: z.int().min(1).max(1_000_000).optional(),
  storedBytesMax: z.int().min(1).optional(),
});

export const noteBody = z.strictObject({ note: z.string().trim().min(1).max(4_000) });
export const noteAnswer = z.object({ noteId: z.string() });
