import {
  leadMovedSchema,
  leadSuppressedSchema,
  offerAgainSchema,
  reassignmentSchema,
  suppressLeadSchema,
} from '#core/contract/leads/admin-lead.ts'
import { leadErasedSchema, leadErasureSchema } from '#core/contract/leads/lead.ts'
import { returnOnBehalfSchema } from '#core/contract/market/lead-return.ts'
import { route } from '../../http/route.ts'
import { eraseLeadForGood } from './erase-lead.ts'
import { moveLead, offerAgain, returnForClient, suppressPersonOf } from './move-lead.ts'

export const adminLeadRoutes = [
  route({
    method: 'post',
    path: '/api/v1/admin/leads/:id/erase',
    who: 'admin',
    needs: 'leads',
    summary: 'Erase the details of a person',
    description:
      'This erases the data of the lead and all requests and answers about it, and cancels the deliveries that are still to come. A reason is required. It must not contain the person’s name, phone or email address (422).',
    takes: 'json',
    body: leadErasureSchema,
    answers: { 200: leadErasedSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await eraseLeadForGood(context, { caller, from }, id, body.reason),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/leads/:id/reassign',
    who: 'admin',
    needs: 'money',
    summary: 'Give a lead to another order, with the money moved',
    description:
      'In one transaction the client that has the lead gets its price back, and the order’s client pays its own. The order is judged as for any sale: suppression, duplicates, licence, caps and funds. If it may not have the lead, nothing changes (409). The former client reads that the lead was returned, and nothing of the person.',
    takes: 'json',
    body: reassignmentSchema,
    answers: { 200: leadMovedSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await moveLead(context, { caller, from }, id, body),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/leads/:id/offer-again',
    who: 'admin',
    needs: 'leads',
    summary: 'Offer a lead that nobody has to all orders again',
    description:
      'A worker decides within seconds, by the rules of every sale. Unsold, expired, rejected, duplicate and returned leads can be offered again; a lead that a client has cannot (409).',
    takes: 'json',
    body: offerAgainSchema,
    answers: { 204: null },
    handle: async ({ context, caller, from, id, body }) => {
      await offerAgain(context, { caller, from }, id, body.reason)
      return { status: 204 }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/leads/:id/return',
    who: 'admin',
    needs: 'money',
    summary: 'Return a lead on its client’s behalf, and credit the price at once',
    description:
      'It is possible after the client’s seven days too. A request of the client that waits is approved.',
    takes: 'json',
    body: returnOnBehalfSchema,
    answers: { 204: null },
    handle: async ({ context, caller, from, id, body }) => {
      await returnForClient(context, { caller, from }, id, body)
      return { status: 204 }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/leads/:id/suppress',
    who: 'admin',
    needs: 'leads',
    summary: 'Put the phones and the e-mail address of a lead on the suppression list',
    takes: 'json',
    body: suppressLeadSchema,
    answers: { 200: leadSuppressedSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await suppressPersonOf(context, { caller, from }, id, body),
    }),
  }),
]
