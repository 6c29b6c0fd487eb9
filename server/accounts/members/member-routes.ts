import { z } from 'zod'
import { meSchema } from '#core/contract/accounts/account.ts'
import {
  handOverSchema,
  invitationTokenSchema,
  memberChangeSchema,
  memberInvitationSchema,
  memberListSchema,
  memberSchema,
  newMemberInvitationSchema,
  shownInvitationSchema,
} from '#core/contract/accounts/members.ts'
import { versionConflictSchema } from '#core/contract/market/version-conflict.ts'
import { problemSchema } from '#core/contract/problem.ts'
import { route } from '#server/http/route.ts'
import { acceptInvitation, readInvitation } from './accept-invitation.ts'
import { changeMember } from './change-member.ts'
import { handOver } from './hand-over.ts'
import { inviteMember, withdrawInvitation } from './invite-member.ts'
import { leaveAccount, removeMember } from './remove-member.ts'
import { showMembers } from './show-members.ts'

const path = '/api/v1/account/members'

/** The people of a client's account. Owners manage everybody, managers only agents. */
export const memberRoutes = [
  route({
    method: 'get',
    path,
    who: 'user',
    may: 'members',
    summary: 'List the people of your account, and who is invited',
    answers: { 200: memberListSchema },
    handle: async ({ context, caller }) => ({ status: 200, json: await showMembers(context.db, caller) }),
  }),
  route({
    method: 'post',
    path: `${path}/invitations`,
    who: 'user',
    may: 'members',
    summary: 'Invite a person into your account by email',
    description:
      'The mailed link is good for 7 days, and only for the invited address. A second invitation of an address replaces the first. Managers invite agents only (403). An account that is not approved invites nobody (409).',
    takes: 'json',
    body: newMemberInvitationSchema,
    answers: { 201: memberInvitationSchema },
    handle: async ({ context, caller, from, body }) => ({
      status: 201,
      json: await inviteMember(context, { caller, from }, body),
    }),
  }),
  route({
    method: 'delete',
    path: `${path}/invitations/:id`,
    who: 'user',
    may: 'members',
    summary: 'Withdraw an invitation that was not accepted yet',
    answers: { 204: null },
    handle: async ({ context, caller, from, id }) => {
      await withdrawInvitation(context, { caller, from }, id)
      return { status: 204 }
    },
  }),
  route({
    method: 'post',
    path: `${path}/invitations/read`,
    who: 'user',
    may: 'self',
    summary: 'Show the account and role that an invitation offers you',
    description: 'Refused like accepting it.',
    takes: 'json',
    body: invitationTokenSchema,
    answers: { 200: shownInvitationSchema },
    handle: async ({ context, caller, body }) => ({
      status: 200,
      json: await readInvitation(context, caller, body.token),
    }),
  }),
  route({
    method: 'post',
    path: `${path}/invitations/accept`,
    who: 'user',
    may: 'self',
    summary: 'Accept an invitation: from then on you act for that account',
    description:
      'Only the invited address, confirmed, may accept. An expired invitation, an administrator, a person with another account, and a person whose own account has been used, are refused (409). An unknown, withdrawn or used invitation is a 404.',
    takes: 'json',
    body: invitationTokenSchema,
    answers: { 200: meSchema },
    handle: async ({ context, caller, from, body }) => ({
      status: 200,
      json: await acceptInvitation(context, { caller, from }, body.token),
    }),
  }),
  route({
    method: 'patch',
    path: `${path}/:id`,
    who: 'user',
    may: 'members',
    summary: 'Give a person of your account another role',
    description: 'It counts from the person’s next request on. The last owner stays one (409).',
    takes: 'json',
    body: memberChangeSchema,
    answers: { 200: memberSchema, 409: z.union([versionConflictSchema(memberSchema), problemSchema]) },
    handle: async ({ context, caller, from, id, body }) =>
      await changeMember(context, { caller, from }, id, body),
  }),
  route({
    method: 'delete',
    path: `${path}/:id`,
    who: 'user',
    may: 'members',
    summary: 'Remove a person from your account',
    description:
      'All their sessions end at once. Their open leads stay with the account, their webhooks are switched off and their orders paused. The last owner cannot be removed (409).',
    answers: { 204: null },
    handle: async ({ context, caller, from, id }) => {
      await removeMember(context, { caller, from }, id)
      return { status: 204 }
    },
  }),
  route({
    method: 'post',
    path: `${path}/leave`,
    who: 'user',
    may: 'self',
    summary: 'Leave the account of others to which you belong',
    description: 'All your sessions end. The last owner hands the account over first (409).',
    answers: { 204: null },
    handle: async ({ context, caller, from }) => {
      await leaveAccount(context, { caller, from })
      return { status: 204 }
    },
  }),
  route({
    method: 'post',
    path: `${path}/hand-over`,
    who: 'user',
    may: 'account',
    summary: 'Make another person of the account its owner in your place',
    description: 'You become a manager, or leave the account; the answer is then 204, and your sessions end.',
    takes: 'json',
    body: handOverSchema,
    answers: { 200: memberListSchema, 204: null },
    handle: async ({ context, caller, from, body }) => {
      const people = await handOver(context, { caller, from }, body)
      return people === undefined ? { status: 204 } : { status: 200, json: people }
    },
  }),
]
