import { ledgerEntrySchema } from '#core/contract/market/money/ledger.ts'
import { payOutSchema } from '#core/contract/market/money/pay-out.ts'
import { adjustmentSchema } from '#core/contract/market/money/payment.ts'
import {
  adjustmentDecisionSchema,
  adjustmentFilterSchema,
  pendingAdjustmentSchema,
} from '#core/contract/market/money/pending-adjustment.ts'
import { pageSchema } from '#core/contract/page.ts'
import { pageQuerySchema, readPage } from '../../../http/read-page.ts'
import { route } from '../../../http/route.ts'
import { adjustBalance, payOutBalance, type Adjusted } from './adjust-balance.ts'
import { confirmAdjustment, declineAdjustment } from './decide-adjustment.ts'
import { showAdjustments } from './show-adjustments.ts'

/** Calls that adjust balances, and those that decide pending adjustments. */
export const adminAdjustmentRoutes = [
  route({
    method: 'post',
    path: '/api/v1/admin/clients/:id/adjust',
    who: 'admin',
    needs: 'money',
    summary: 'Add money to a client’s balance, or take it off',
    description:
      'The note is required, and the client reads it. Above `ADJUSTMENT_LIMIT`, and for your own account, the answer is 202 with a pending adjustment that moves nothing until another administrator confirms it. Taking off more than the balance holds is refused (409), and so is any adjustment of an erased account.',
    takes: 'json',
    takesKey: true,
    body: adjustmentSchema,
    answers: { 201: ledgerEntrySchema, 202: pendingAdjustmentSchema },
    handle: async ({ context, caller, from, id, body, idempotencyKey }) =>
      answer(await adjustBalance(context, { caller, from }, id, body, idempotencyKey)),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/clients/:id/pay-out',
    who: 'admin',
    needs: 'money',
    summary: 'Pay money of a client’s balance out',
    description:
      'The money is paid outside of Leadwire; this takes it off the balance, as an entry `refund_out`. The client reads method, reference and note. Above `ADJUSTMENT_LIMIT`, and for your own account, the answer is 202 with a pending adjustment that moves nothing until another administrator confirms it. More than the balance holds is refused (409).',
    takes: 'json',
    takesKey: true,
    body: payOutSchema,
    answers: { 201: ledgerEntrySchema, 202: pendingAdjustmentSchema },
    handle: async ({ context, caller, from, id, body, idempotencyKey }) =>
      answer(await payOutBalance(context, { caller, from }, id, body, idempotencyKey)),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/pending-adjustments',
    who: 'admin',
    summary: 'List adjustments that wait for a second administrator, or did, newest first',
    query: pageQuerySchema.extend(adjustmentFilterSchema.shape),
    answers: { 200: pageSchema(pendingAdjustmentSchema) },
    handle: async ({ context, caller, query }) => ({
      status: 200,
      json: await showAdjustments(context.db, caller, query, readPage(query)),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/pending-adjustments/:id/confirm',
    who: 'admin',
    needs: 'money',
    summary: 'Confirm a pending adjustment: its money moves now',
    description:
      'Refused (409) if it is decided or expired, if the balance holds less, or if you asked for it or it is your own account. The only administrator confirms with a second factor proven in the last 15 minutes (403 `mfa_required`).',
    takes: 'json',
    body: adjustmentDecisionSchema,
    answers: { 200: pendingAdjustmentSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await confirmAdjustment(context, { caller, from }, id, body.note),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/pending-adjustments/:id/decline',
    who: 'admin',
    needs: 'money',
    summary: 'Decline a pending adjustment, or take back your own',
    takes: 'json',
    body: adjustmentDecisionSchema,
    answers: { 200: pendingAdjustmentSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await declineAdjustment(context, { caller, from }, id, body.note),
    }),
  }),
]

function answer(adjusted: Adjusted) {
  return 'entry' in adjusted
    ? { status: 201 as const, json: adjusted.entry }
    : { status: 202 as const, json: adjusted.pending }
}
