import { z } from 'zod'
import { assignmentResultSchema } from '#core/contract/market/assignment.ts'
import { optionalNoteSchema } from '#core/contract/admin-note.ts'
import { leadChangeSchema, leadDetailSchema } from '#core/contract/leads/lead.ts'
import { assignLead } from '../market/assign-lead.ts'
import { changeLead } from './change-lead.ts'
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
    summary: 'One lead with its timeline and deliveries; marks it as viewed',
    answers: { 200: leadDetailSchema },
    handle: async ({ context, caller, id }) => ({ status: 200, json: await openLead(context, caller, id) }),
  }),
  route({
    method: 'patch',
    path: '/api/v1/leads/:id',
    who: 'user',
    summary: 'Disposition and notes of a lead one holds; or one’s own test lead assigned to oneself',
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
    path: '/api/v1/rpc/assign_lead_to_buyer_concurrent',
    who: 'user',
    summary: 'Assign a lead to its buyer; the outcome is a value',
    description:
      '`reason_param` is for administrators, whose assignments are in the audit log. One that has the person’s name, phone or e-mail address in it is refused.',
    takes: 'json',
    body: assignSchema,
    answers: { 200: assignmentResultSchema },
    handle: async ({ context, caller, from, body: { reason_param: reason, ...given } }) => ({
      status: 200,
      json: await assignLead(context, { caller, from, reason }, given),
    }),
  }),
]
