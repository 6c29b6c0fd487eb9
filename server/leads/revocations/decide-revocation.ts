import { ADMINISTRATION_ZONE } from '#core/contract/market/administration-zone.ts'
import type {
  AdminRevocation,
  RevocationDetail,
  RevocationReported,
} from '#core/contract/leads/revocation.ts'
import { findEarlier } from '#core/data/leads/revocations/count-revocations.ts'
import { findRevocableLead, readRevocableLeads } from '#core/data/leads/revocations/find-revocable.ts'
import { isRevocation, lockWaiting } from '#core/data/leads/revocations/read-waiting.ts'
import { decideRevocation, type RevocationOrigin } from '#core/data/leads/revocations/write-revocation.ts'
import { readClock } from '#core/data/read-clock.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { findDeadline } from '#core/domain/leads/revocation-deadline.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import { auditChange, type By } from '../../market/audit-change.ts'
import { refuseNaming } from '../../market/refuse-naming.ts'
import { applyRevocation, type RevokedPerson } from '#core/use-cases/revocations/apply-revocation.ts'
import { gatherContact, gatherPerson } from './gather-person.ts'
import { readPerson } from './read-person.ts'
import { showRevocation } from './show-revocations.ts'

/**
 * Revokes for a person who told an administrator: at once, for everybody.
 * @throws AppError not_found, validation_failed
 */
export async function revokeByAdministrator(
  context: ServerContext,
  by: By,
  asked: AdminRevocation,
): Promise<RevocationReported> {
  const person = await findPerson(context, asked)
  const origin: RevocationOrigin = {
    reported_by: 'administrator',
    reach: 'everybody',
    created_by: by.caller.person_id,
    reason: asked.reason,
  }
  const applied = await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const done = await applyRevocation(context.market, trx, origin, person)
      if (done === undefined) return undefined
      const details = { revocation_id: done.id, leads: done.leads, note: asked.reason }
      await auditChange(trx, by, { action: 'consent_revoked', details })
      return done
    }),
  )
  if (applied !== undefined) {
    context.announce.events(applied.events)
    return { outcome: 'in_force', revocation_id: applied.id }
  }
  const ids = person.leads.map(({ id }) => id)
  return { outcome: 'known', revocation_id: (await findEarlier(context.db, ids, undefined)) ?? null }
}

/** Lets a report that waits take effect. @throws AppError not_found, conflict */
export async function approveRevocation(
  context: ServerContext,
  by: By,
  id: string,
  note: string | null,
): Promise<RevocationDetail> {
  const told = await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const waiting = await requireWaiting(context, trx, id)
      const at = await readClock(trx)
      const inForce = { at, ...findDeadline(at, ADMINISTRATION_ZONE) }
      await decideRevocation(trx, id, { by: by.caller.person_id, note, inForce })
      const leads = await readRevocableLeads(trx, waiting.lead_ids)
      const person = await gatherPerson(trx, waiting, leads)
      const done = await applyRevocation(context.market, trx, waiting, person, id)
      await auditChange(trx, by, { action: 'revocation_approved', details: { revocation_id: id, note } })
      return done?.events ?? []
    }),
  )
  context.announce.events(told)
  return await showRevocation(context, id)
}

/** Declines a report that waits: nothing is revoked. @throws AppError not_found, conflict */
export async function declineRevocation(
  context: ServerContext,
  by: By,
  id: string,
  note: string,
): Promise<RevocationDetail> {
  await context.db.transaction().execute(async (trx) => {
    await requireWaiting(context, trx, id)
    await decideRevocation(trx, id, { by: by.caller.person_id, note, inForce: null })
    await auditChange(trx, by, { action: 'revocation_declined', details: { revocation_id: id, note } })
  })
  return await showRevocation(context, id)
}

async function requireWaiting(context: ServerContext, trx: Parameters<typeof lockWaiting>[0], id: string) {
  const waiting = await lockWaiting(trx, id)
  if (waiting !== undefined) return waiting
  if (await isRevocation(context.db, id))
    throw new AppError('conflict', 'This revocation is decided already.')
  throw new AppError('not_found', 'Revocation not found')
}

async function findPerson(
  context: ServerContext,
  { contact, lead_id, reason }: AdminRevocation,
): Promise<RevokedPerson> {
  if (lead_id !== undefined) {
    const lead = await findRevocableLead(context.db, { lead_id }, { everybody: true })
    if (lead === undefined) throw new AppError('not_found', 'No lead of a person has this id')
    refuseNaming('reason', reason, { name: null, email: lead.email, phone: lead.phone })
    return await gatherPerson(context.db, { reported_by: 'administrator', reach: 'everybody' }, [lead])
  }
  const only = readPerson(contact ?? '')
  refuseNaming('reason', reason, { name: null, email: null, phone: null, [only.kind]: only.value })
  return await gatherContact(context.db, only)
}
