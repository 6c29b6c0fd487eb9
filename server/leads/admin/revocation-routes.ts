import {
  adminRevocationSchema,
  revocationApprovalSchema,
  revocationDetailSchema,
  revocationFilterSchema,
  revocationRefusalSchema,
  revocationReportedSchema,
  revocationSchema,
} from '#core/contract/leads/revocation.ts'
import { pageSchema } from '#core/contract/page.ts'
import { pageQuerySchema } from '../../http/read-page.ts'
import { route } from '../../http/route.ts'
import {
  approveRevocation,
  declineRevocation,
  revokeByAdministrator,
} from '../revocations/decide-revocation.ts'
import { showRevocation, showRevocations } from '../revocations/show-revocations.ts'

/** Revocations of consent: all of them with their receipts, and those that wait for a decision. */
export const adminRevocationRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/revocations',
    who: 'admin',
    summary: 'List the revocations of consent, newest first',
    description:
      '`open=any` lists those with a holder who has not acknowledged, `open=overdue` those past ten business days.',
    query: pageQuerySchema.extend(revocationFilterSchema.shape),
    answers: { 200: pageSchema(revocationSchema) },
    handle: async ({ context, query }) => ({ status: 200, json: await showRevocations(context, query) }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/revocations/:id',
    who: 'admin',
    summary: 'Return a revocation with its holders and their receipts',
    answers: { 200: revocationDetailSchema },
    handle: async ({ context, id }) => ({ status: 200, json: await showRevocation(context, id) }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/revocations',
    who: 'admin',
    needs: 'leads',
    summary: 'Revoke consent for a person, for everybody and at once',
    description:
      'Give a phone number or e-mail address, or a lead. With a lead, all its phones and its e-mail address are suppressed. The reason must not name the person (422).',
    takes: 'json',
    body: adminRevocationSchema,
    answers: { 200: revocationReportedSchema },
    handle: async ({ context, caller, from, body }) => ({
      status: 200,
      json: await revokeByAdministrator(context, { caller, from }, body),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/revocations/:id/approve',
    who: 'admin',
    needs: 'leads',
    summary: 'Let a revocation that waits take effect',
    description: 'One that is decided already is refused (409).',
    takes: 'json',
    body: revocationApprovalSchema,
    answers: { 200: revocationDetailSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await approveRevocation(context, { caller, from }, id, body.note),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/revocations/:id/decline',
    who: 'admin',
    needs: 'leads',
    summary: 'Decline a revocation that waits',
    description: 'Nothing is revoked. One that is decided already is refused (409).',
    takes: 'json',
    body: revocationRefusalSchema,
    answers: { 200: revocationDetailSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await declineRevocation(context, { caller, from }, id, body.note),
    }),
  }),
]
