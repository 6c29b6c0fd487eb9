import { DELIVERY_FAILED, type HeldReturn } from '#core/contract/market/lead-return.ts'
import type { Db } from '#core/data/database.ts'
import { listHeldReturns } from '#core/data/market/lead-returns.ts'
import {
  approveReturn,
  closeReturn,
  lockReturn,
  readArrival,
  stopSending,
  type LockedReturn,
} from '#core/data/market/settle-return.ts'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import { tellClient } from '#core/use-cases/market/tell-client.ts'
import { AppError } from '#core/errors.ts'
import { failpoint } from '#core/failpoints.ts'
import type { ServerContext } from '../../context.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { auditChange, type By } from '../audit-change.ts'

/**
 * Refunds a lead to its client and takes the lead back, in one transaction. A return is decided once: a
 * second administrator is told who decided first.
 * @throws AppError not_found, conflict
 */
export async function approveRequest(
  context: ServerContext,
  by: By,
  id: string,
  note: string | null,
): Promise<HeldReturn> {
  const decided = await decide(context, id, async (trx, request) => {
    if (request.is_client_erased)
      throw new AppError(
        'conflict',
        'The account of this client was erased: nobody has the balance. Deny it.',
      )
    if (!request.is_held) throw new AppError('conflict', 'This client does not hold the lead any more.')
    if (request.reason === DELIVERY_FAILED) await refuseArrived(trx, by, request)
    await approveReturn(trx, request, by.caller.user_id, note)
    await tellDecision(trx, request, 'approved', note)
    await auditDecision(trx, by, 'return_approved', request, { amount: request.price })
    await failpoint('before-return')
  })
  await failpoint('after-return')
  context.announce.eventsOf((outbox) => findEventsToEnqueueOfLeads(outbox, [decided.lead_id]))
  return decided
}

/**
 * Denies a return: the lead stays with its client and is not refunded.
 * @throws AppError not_found, conflict
 */
export async function denyRequest(
  context: ServerContext,
  by: By,
  id: string,
  note: string | null,
): Promise<HeldReturn> {
  return await decide(context, id, async (trx, request) => {
    await closeReturn(trx, request, { status: 'denied', by: by.caller.user_id, note })
    await tellDecision(trx, request, 'denied', note)
    await auditDecision(trx, by, 'return_denied', request, {})
  })
}

/**
 * Refuses a lead that was delivered while its return waited: the client would get it for nothing. @throws
 * AppError conflict
 */
async function refuseArrived(trx: Db, by: By, request: LockedReturn): Promise<void> {
  await stopSending(trx, request, by.caller.user_id)
  const { is_delivered, is_sending } = await readArrival(trx, request)
  if (is_delivered) throw new AppError('conflict', 'It was delivered since; deny it.')
  if (is_sending) throw new AppError('conflict', 'It is being sent at this moment. Try again in a minute.')
}

async function decide(
  context: ServerContext,
  id: string,
  work: (trx: Db, request: LockedReturn) => Promise<void>,
): Promise<HeldReturn> {
  await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const request = await lockReturn(trx, { id })
      if (request === undefined) throw new AppError('not_found', 'Return not found')
      if (request.status !== 'pending') throw new AppError('conflict', tellEarlier(request))
      await work(trx, request)
    }),
  )
  const [row] = await listHeldReturns(context.db, { id }, { limit: 1, after: undefined })
  if (row === undefined) throw new AppError('not_found', 'Return not found')
  const { position: _position, ...decided } = row
  return decided
}

function tellEarlier({ status, decider }: LockedReturn): string {
  if (status === 'withdrawn') return 'The client has withdrawn this return.'
  return `This return was ${status} already by ${decider ?? 'the system'}.`
}

async function tellDecision(
  trx: Db,
  { id, lead_id, client_user_id, price }: LockedReturn,
  status: 'approved' | 'denied',
  note: string | null,
): Promise<void> {
  const data = { lead_id, status, amount: price, note }
  await tellClient(trx, client_user_id, { template: 'return_decided', data }, id)
}

async function auditDecision(
  trx: Db,
  by: By,
  action: 'return_approved' | 'return_denied',
  request: LockedReturn,
  details: Record<string, string>,
): Promise<void> {
  // The note of the decision is not copied: it is deleted with the return when the person is erased.
  const about = { return_id: request.id, lead_id: request.lead_id, reason: request.reason }
  await auditChange(trx, by, { action, client: request.client_user_id, details: { ...about, ...details } })
}
