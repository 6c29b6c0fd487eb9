import { z } from 'zod'
import {
  ownRevocationSchema,
  revocationCodeRequestSchema,
  revocationCodeSentSchema,
  revocationProofSchema,
  revocationProvenSchema,
  revocationReportedSchema,
  revocationReportSchema,
} from '#core/contract/leads/revocation.ts'
import { pageSchema } from '#core/contract/page.ts'
import { acknowledge } from '#core/data/leads/revocations/receipts.ts'
import { AppError } from '#core/errors.ts'
import { isSource } from '../../identity/authorise.ts'
import { pageQuerySchema } from '../../http/read-page.ts'
import { route } from '../../http/route.ts'
import { proveRevocation, sendRevocationCode } from './prove-revocation.ts'
import { revokeHeldLead, revokeHeldPerson, revokeSentLeads } from './report-revocation.ts'
import { findOwnRevocation, showOwnRevocations } from './show-revocations.ts'

/** Calls by which persons, clients and sources revoke consent, and clients acknowledge it. */
export const revocationRoutes = [
  route({
    method: 'post',
    path: '/api/v1/revocations/code',
    who: 'public',
    summary: 'Send a code to a person who revokes consent',
    description:
      'The code is sent to the phone or e-mail address itself, whether or not the person is known here. It is good for five minutes; a new one replaces it. An installation with a captcha refuses a call without `captcha_token` (422).',
    takes: 'json',
    body: revocationCodeRequestSchema,
    answers: { 202: revocationCodeSentSchema },
    handle: async ({ context, from, body }) => ({
      status: 202,
      json: await sendRevocationCode(context, body, from),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/revocations/proof',
    who: 'public',
    summary: 'Revoke consent with the code that was sent',
    description:
      'From then on no lead with this contact is sold, and every client who holds or held one is told. The answer is the same whether or not the person was known. A wrong code is a 422.',
    takes: 'json',
    body: revocationProofSchema,
    answers: { 200: revocationProvenSchema },
    handle: async ({ context, from, body }) => ({
      status: 200,
      json: await proveRevocation(context, body, from),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/revocations',
    who: 'source or user',
    may: 'leads',
    summary: 'Report that a person revoked consent',
    description:
      'With an access token: for leads that you hold. If you bought one, nobody may contact the person; otherwise only you may not. With a source’s key: for leads that the source sent. Give one of `contact`, `lead_id` and `external_id`. Above 100 in 24 hours a report waits for an administrator (`waiting`). A repeat adds nothing (`known`).',
    takes: 'json',
    body: revocationReportSchema,
    answers: { 200: revocationReportedSchema },
    handle: async ({ context, caller, body }) => ({
      status: 200,
      json: isSource(caller)
        ? await context.admission.inSourceQueue(caller.source_id, () =>
            revokeSentLeads(context, caller, body),
          )
        : await revokeHeldPerson(context, caller, body),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/leads/:id/revocation',
    who: 'user',
    may: 'leads',
    summary: 'Report that the person of a lead that you hold revoked consent',
    description: 'A lead that you do not hold, or a test lead, is a 404.',
    answers: { 200: revocationReportedSchema },
    handle: async ({ context, caller, id }) => ({
      status: 200,
      json: await revokeHeldLead(context, caller, id),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/revocations',
    who: 'user',
    may: 'leads',
    summary: 'List the leads that you may not contact any more, newest first',
    description: '`open=true` lists those that you have not acknowledged.',
    query: pageQuerySchema.extend({
      open: z.stringbool().optional(),
      revocation_id: z.uuid().optional(),
    }),
    answers: { 200: pageSchema(ownRevocationSchema) },
    handle: async ({ context, caller, query }) => ({
      status: 200,
      json: await showOwnRevocations(context, caller, query),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/leads/:id/revocation/acknowledge',
    who: 'user',
    may: 'leads',
    summary: 'Acknowledge that you do not contact the person of a lead any more',
    description:
      'It is the receipt of a client without a webhook for `lead.consent_revoked`. A repeat changes nothing.',
    answers: { 200: ownRevocationSchema },
    handle: async ({ context, caller, id }) => {
      await acknowledge(context.db, caller, id)
      const told = await findOwnRevocation(context, caller, id)
      if (told === undefined) throw new AppError('not_found', 'Nothing was revoked for this lead')
      return { status: 200, json: told }
    },
  }),
]
