import { z } from 'zod'
import { assignmentResultSchema } from '#core/contract/market/assignment.ts'
import { optionalNoteSchema } from '#core/contract/admin-note.ts'
import { leadDetailSchema } from '#core/contract/leads/lead-detail.ts'
import { leadChangeSchema, leadGivingSchema } from '#core/contract/leads/lead.ts'
import { assignLead } from '../market/assign-lead.ts'
import { changeLead } from './change-lead.ts'
import { giveToMember } from './give-to-member.ts'
import { openLead } from './show-lead.ts'
import { route } from '../http/route.ts'

const assignSchema = z.object({
  lead_id_param: z.uuid(),
  lead_type_param: z.string().max(64).nullish().default(null),
  lead_state_param: z.string().max(64).nullish().default(null),
  lead_phone_param: z.string().max(64).nullish().default(null),
  lead_email_param: z.string().max(254).nullish().default(null),
  reason_param: optionalNoteSchema,
})

export const leadRoutes = [
  route({
    method: 'get',
    path: '/api/v1/leads/:id',
    who: 'user',
    may: 'leads',
    summary: 'Return one lead with its timeline and deliveries, and mark it as read',
    answers: { 200: leadDetailSchema },
    handle: async ({ context, caller, id }) => ({ status: 200, json: await openLead(context, caller, id) }),
  }),
  route({
    method: 'patch',
    path: '/api/v1/leads/:id',
    who: 'user',
    may: 'leads',
    summary: 'Set the disposition and notes of a lead that you hold',
    description:
      'With `assigned_to` and `status` the call assigns your own test lead to you instead; any other lead is refused (403). A lead that is not assigned to you cannot be annotated (409).',
    takes: 'json',
    body: leadChangeSchema,
    answers: { 200: leadDetailSchema },
    handle: async ({ context, caller, id, body }) => ({
      status: 200,
      json: await changeLead(context, caller, id, body),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/leads/:id/member',
    who: 'user',
    may: 'members',
    summary: 'Give a lead to a person of your account, or to nobody in particular',
    description:
      'The person’s own webhooks get the lead, and shared ones do not get it again. A lead that was returned or erased, or is that person’s already, is refused (409). The note is on the lead’s timeline and must not contain the lead’s name, phone or email address (422).',
    takes: 'json',
    body: leadGivingSchema,
    answers: { 200: leadDetailSchema },
    handle: async ({ context, caller, id, body }) => ({
      status: 200,
      json: await giveToMember(context, caller, id, body),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/rpc/assign_lead_to_buyer_concurrent',
    who: 'user',
    may: 'leads',
    summary: 'Assign a lead to its buyer',
    description:
      '`outcome` says how it ended, also if the lead was not assigned. `reason_param` is for administrators, whose assignments are in the audit log. It must not contain the person’s name, phone or email address (422).',
    takes: 'json',
    body: assignSchema,
    answers: { 200: assignmentResultSchema },
    handle: async ({ context, caller, from, body: { reason_param: reason, ...given } }) => ({
      status: 200,
      json: await assignLead(context, { caller, from, reason }, given),
    }),
  }),
]
