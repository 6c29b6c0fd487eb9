import { DELIVERY_FAILED } from '#core/contract/market/lead-return.ts'
import type { Db } from '#core/data/database.ts'
import type { EventToEnqueue } from '#core/data/outbox/events.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import {
  findHolding,
  forgetUndelivered,
  offerTakenBack,
  readUndelivered,
  type Holding,
  type UndeliveredNote,
} from '#core/data/market/sale/undelivered-leads.ts'
import {
  approveReturn,
  insertReturn,
  lockLead,
  lockReturn,
  lockWebhooks,
} from '#core/data/market/settle-return.ts'
import { judgeUndelivered, type UndeliveredVerdict } from '#core/domain/market/judge-undelivered.ts'
import { failpoint } from '#core/failpoints.ts'
import type { Market } from './market.ts'

/** The result for a lead, and the event to enqueue. */
export interface SettledLead {
  verdict: UndeliveredVerdict
  offered: EventToEnqueue | undefined
}

const NOTHING: SettledLead = { verdict: 'leave', offered: undefined }

/**
 * Handles a lead that reached none of its client's webhooks as the order wants, in one transaction with the money
 * (docs/product.md §10). Safe to run twice, also at the same time: an assignment has one return, and a return one
 * credit.
 */
export async function settleUndelivered(
  market: Pick<Market, 'db' | 'holdHours'>,
  note: UndeliveredNote,
): Promise<SettledLead> {
  return await repeatOnConflict(() =>
    market.db.transaction().execute(async (trx) => {
      const settled = await settle(trx, note.assignment_id, market.holdHours)
      if (settled.verdict !== 'wait') await forgetUndelivered(trx, note.id)
      await failpoint('before-undelivered')
      return settled
    }),
  )
}

async function settle(trx: Db, assignmentId: string, holdHours: number): Promise<SettledLead> {
  const holding = await findHolding(trx, assignmentId)
  if (holding === undefined) return NOTHING
  await lockLead(trx, holding.lead_id)
  await lockWebhooks(trx, holding.client_user_id)
  const lead = await readUndelivered(trx, assignmentId, holdHours)
  if (lead === undefined) return NOTHING
  const verdict = judgeUndelivered(lead)
  if (verdict === 'leave' || verdict === 'wait') return { verdict, offered: undefined }
  await takeBack(trx, assignmentId, holding, verdict)
  if (verdict !== 'reoffer') return { verdict, offered: undefined }
  const id = await offerTakenBack(trx, holding.lead_id, holdHours, DELIVERY_FAILED)
  return { verdict, offered: { id, type: 'lead.offered', client_user_id: null } }
}

async function takeBack(
  trx: Db,
  assignmentId: string,
  { lead_id, client_user_id: client }: Holding,
  verdict: 'return' | 'reoffer' | 'ask',
): Promise<void> {
  const held_for_review = verdict === 'ask'
  const asked = { reason: DELIVERY_FAILED, note: null, asked_by: 'system', held_for_review } as const
  const id = await insertReturn(trx, { lead_id, assignment_id: assignmentId, client }, asked)
  if (held_for_review) return
  const request = await lockReturn(trx, { id })
  if (request === undefined) throw new Error('PostgreSQL kept no return')
  await approveReturn(trx, request, null, null, verdict === 'reoffer' ? 'revoked' : 'returned')
}
