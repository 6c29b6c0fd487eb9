import { z } from 'zod'
import { pageSchema } from '../page.ts'
import { accountIdSchema } from './account.ts'
import { givenRoleSchema, memberRoleSchema } from './member-role.ts'

/** A person of an account. */
export const memberSchema = z.object({
  user_id: accountIdSchema,
  name: z.string(),
  email: z.string(),
  role: memberRoleSchema,
  joined_at: z.iso.datetime(),
  is_you: z.boolean(),
  /** the person who opened the account; its id is theirs */
  is_founder: z.boolean(),
  /** 0 for a founder whose role has never changed */
  version: z.int(),
})
export type AccountMember = z.infer<typeof memberSchema>

/** An invitation that waits. One that has expired stays in the list until it is withdrawn or sent again. */
export const memberInvitationSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  role: givenRoleSchema,
  /** null if that person's account is gone */
  invited_by_name: z.string().nullable(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
})
export type MemberInvitation = z.infer<typeof memberInvitationSchema>

/** `GET /api/v1/account/members`: people in the order in which they joined. */
export const memberListSchema = pageSchema(memberSchema).extend({
  invitations: z.array(memberInvitationSchema),
})
export type MemberList = z.infer<typeof memberListSchema>

/** `POST /api/v1/account/members/invitations` */
export const newMemberInvitationSchema = z.strictObject({
  email: z.string('Enter an email address').max(320, 'Is too long'),
  role: givenRoleSchema,
})
export type NewMemberInvitation = z.infer<typeof newMemberInvitationSchema>

/** The body of both calls by which an invited person looks at an invitation and accepts it. */
export const invitationTokenSchema = z.strictObject({ token: z.string().min(1).max(200) })

/** The offer that an invited person reads before accepting. */
export const shownInvitationSchema = z.object({
  account_name: z.string(),
  role: givenRoleSchema,
  email: z.string(),
  invited_by_name: z.string().nullable(),
  expires_at: z.iso.datetime(),
})
export type ShownInvitation = z.infer<typeof shownInvitationSchema>

/** `PATCH /api/v1/account/members/:id`; without a version the role counts whatever it was. */
export const memberChangeSchema = z.strictObject({
  role: givenRoleSchema,
  version: z.int().optional(),
})
export type MemberChange = z.infer<typeof memberChangeSchema>

/** `POST /api/v1/account/members/hand-over` */
export const handOverSchema = z.strictObject({
  to: accountIdSchema,
  /** the former owner leaves the account too; otherwise they become a manager */
  leave: z.boolean().default(false),
})
export type HandOver = z.infer<typeof handOverSchema>
