import {
  outcomeReportSchema,
  type OutcomeReceipt,
  type OutcomeReport,
} from '#core/contract/leads/lead-outcome.ts'
import { DISPOSITIONS } from '#core/contract/leads/lead.ts'
import { returnRequestSchema, type ReturnReason } from '#core/contract/market/lead-return.ts'
import type { Db } from '#core/data/database.ts'
import { findLeadRecord } from '#core/data/leads/lead-details.ts'
import {
  findOutcomeTarget,
  insertOutcome,
  readEarlierOutcomes,
  type OutcomeAddress,
  type OutcomeOf,
} from '#core/data/leads/lead-outcomes.ts'
import { lockHeldLeads } from '#core/data/leads/lock-held-leads.ts'
import type { Viewer } from '#core/data/leads/leads.ts'
import { changeAssignment } from '#core/data/market/lead-assignments.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { judgeOutcome } from '#core/domain/leads/judge-outcome.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import { readInput } from '../../http/read-input.ts'
import { askForReturn } from '../../market/request-return.ts'
import { keepFromContact } from '../suppress-person.ts'
import { notAnAddress, openAddress } from './open-address.ts'
import { pickReport } from './pick-report.ts'

/** Outcomes of one webhook for one lead: a CRM reports a dozen at most, and a loop of automations without end. */
const MOST_OUTCOMES = 100

/**
 * Takes an outcome that a CRM posts to the address of a lead. Disposition, suppression and return follow in the same
 * transaction. An outcome that equals the last one of this webhook changes nothing, so a repeat is harmless, and a CRM
 * that reports the same every night does not undo what a person changed meanwhile.
 * @param given.token from the query; undefined if the body has the address
 * @throws AppError not_found, validation_failed, rate_limited, conflict
 */
export async function takeOutcome(
  context: ServerContext,
  given: { body: unknown; token: string | undefined; network: string },
): Promise<OutcomeReceipt> {
  const picked = pickReport(given.body)
  const address = await openAddress(context, given.token ?? picked['outcome_url'], given.network)
  const read = readInput(outcomeReportSchema, picked)
  if (!read.ok)
    throw new AppError('validation_failed', 'This is no outcome. See /documentation/outcomes.', {
      errors: read.errors,
    })
  const { status: outcome } = read.value
  if (address === 'sample')
    return { outcome, recorded: false, disposition: judgeOutcome(outcome).disposition, return: null }
  return await repeatOnConflict(() =>
    context.db.transaction().execute((trx) => recordOutcome(context, trx, address, read.value)),
  )
}

async function recordOutcome(
  context: ServerContext,
  trx: Db,
  of: OutcomeAddress,
  report: OutcomeReport,
): Promise<OutcomeReceipt> {
  const client = { user_id: of.client_user_id, role: 'client' } as const
  await lockHeldLeads(trx, client, [of.lead_id])
  const target = await findOutcomeTarget(trx, of)
  if (target === undefined) throw notAnAddress()
  const { status: outcome } = report
  const earlier = await readEarlierOutcomes(trx, of, target)
  if (isSame(earlier.last, report))
    return { outcome, recorded: false, disposition: readDisposition(target.disposition), return: null }
  if (earlier.count >= MOST_OUTCOMES)
    throw new AppError(
      'conflict',
      `This webhook has reported ${MOST_OUTCOMES} outcomes for this lead already.`,
    )
  await insertOutcome(trx, of, { assignment_id: target.assignment_id, report })
  const { disposition, returns } = judgeOutcome(outcome)
  if (disposition !== null) await setDisposition(context, trx, { of, viewer: client }, disposition)
  return {
    outcome,
    recorded: true,
    disposition: disposition ?? readDisposition(target.disposition),
    return: returns === null ? null : await wantReturn(trx, of, returns, report.note),
  }
}

function isSame(
  last: { outcome: string; amount: number | null; note: string | null } | null,
  { status, amount, note }: OutcomeReport,
): boolean {
  return last !== null && last.outcome === status && last.amount === amount && last.note === note
}

async function setDisposition(
  context: ServerContext,
  trx: Db,
  { of, viewer }: { of: OutcomeOf; viewer: Viewer },
  disposition: string,
): Promise<void> {
  await changeAssignment(trx, viewer, of.lead_id, { disposition })
  if (disposition !== 'do_not_contact') return
  const person = await findLeadRecord(trx, viewer, of.lead_id)
  const caller = { user_id: of.client_user_id, person_id: of.client_user_id }
  if (person !== undefined) await keepFromContact(context, trx, caller, person)
}

/** The return is judged by the rules of every return; a refusal does not undo the outcome. */
async function wantReturn(
  trx: Db,
  { client_user_id: client, lead_id }: OutcomeOf,
  reason: ReturnReason,
  note: string | null,
): Promise<NonNullable<OutcomeReceipt['return']>> {
  const [unfit] = returnRequestSchema.safeParse({ reason, note }).error?.issues ?? []
  if (unfit !== undefined) return { requested: false, refusal: unfit.message }
  const asked = await askForReturn(trx, client, lead_id, { reason, note })
  return asked.ok ? { requested: true, refusal: null } : { requested: false, refusal: asked.refusal }
}

function readDisposition(stored: string): OutcomeReceipt['disposition'] {
  return DISPOSITIONS.find((one) => one === stored) ?? null
}
