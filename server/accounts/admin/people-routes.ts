import {
  adminPersonDetailSchema,
  adminPersonSchema,
  findPersonSchema,
  invitationSchema,
  personChangeSchema,
  roleChangeSchema,
  sessionsEndedSchema,
} from '#core/contract/accounts/admin-people.ts'
import { pageSchema } from '#core/contract/page.ts'
import { route } from '#server/http/route.ts'
import { changeAdministrator, removeAdministrator } from './change-administrator.ts'
import { listPeople } from './data/people.ts'
import { endSessions } from './end-sessions.ts'
import { inviteAdministrator } from './invite-administrator.ts'
import { resetSecondFactor } from './reset-second-factor.ts'
import { findByEmail, showPerson } from './show-people.ts'

/** Administrators with their roles, and help for anybody who cannot sign in. Only owners change something. */
export const peopleRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/people',
    who: 'admin',
    summary: 'List the administrators, and who is invited as one',
    answers: { 200: pageSchema(adminPersonSchema) },
    handle: async ({ context: { db, config } }) => ({
      status: 200,
      json: { data: await listPeople(db, config.auth.inactivitySeconds), next_cursor: null },
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/people',
    who: 'admin',
    needs: 'people',
    summary: 'Invite an administrator by email',
    description:
      'The person has the role when they accept the mailed invitation, also with an account that exists. An administrator, and a blocked account, is refused (409).',
    takes: 'json',
    body: invitationSchema,
    answers: { 201: adminPersonSchema },
    handle: async ({ context, caller, from, body }) => ({
      status: 201,
      json: await inviteAdministrator(context, { caller, from }, body),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/people/find',
    who: 'admin',
    needs: 'read',
    summary: 'Find any account by its email address',
    description:
      'Its factors and open sessions are in the answer. Only roles that may end sessions read their addresses and browsers.',
    takes: 'json',
    body: findPersonSchema,
    answers: { 200: adminPersonDetailSchema },
    handle: async ({ context, caller, body }) => ({
      status: 200,
      json: await findByEmail(context, caller, body.email),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/people/:id',
    who: 'admin',
    summary: 'Return one account with its factors and open sessions',
    description: 'Only roles that may end sessions read their addresses and browsers; others get null.',
    answers: { 200: adminPersonDetailSchema },
    handle: async ({ context, caller, id }) => ({
      status: 200,
      json: await showPerson(context, caller, id),
    }),
  }),
  route({
    method: 'patch',
    path: '/api/v1/admin/people/:id',
    who: 'admin',
    needs: 'people',
    summary: 'Give an administrator another role',
    description: 'It counts from the next request on. The last owner stays one (409).',
    takes: 'json',
    body: roleChangeSchema,
    answers: { 200: adminPersonSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await changeAdministrator(context, { caller, from }, id, body),
    }),
  }),
  route({
    method: 'delete',
    path: '/api/v1/admin/people/:id',
    who: 'admin',
    needs: 'people',
    summary: 'Take the rights of an administrator away, or an invitation back',
    description: 'All sessions of the person end. The last owner cannot be removed (409).',
    takes: 'json',
    body: personChangeSchema,
    answers: { 204: null },
    handle: async ({ context, caller, from, id, body }) => {
      await removeAdministrator(context, { caller, from }, id, body.reason)
      return { status: 204 }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/people/:id/reset-factor',
    who: 'admin',
    needs: 'people',
    summary: 'Remove the second factors and recovery codes of an account',
    description:
      'All its sessions end, and the person gets a mail. Your own account, and one without a second factor, is refused (409).',
    takes: 'json',
    body: personChangeSchema,
    answers: { 200: adminPersonDetailSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await resetSecondFactor(context, { caller, from }, id, body.reason),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/people/:id/end-sessions',
    who: 'admin',
    needs: 'people',
    summary: 'End all sessions of an account at once',
    description: 'Of your own account, the session of this request stays.',
    takes: 'json',
    body: personChangeSchema,
    answers: { 200: sessionsEndedSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: { ended: await endSessions(context, { caller, from }, id, body.reason) },
    }),
  }),
]
