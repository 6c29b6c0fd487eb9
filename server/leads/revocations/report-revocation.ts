import {
  REVOCATIONS_A_DAY,
  REVOCATIONS_WAITING,
  type RevocationReport,
  type RevocationReported,
} from '#core/contract/leads/revocation.ts'
import {
  countRevocations,
  findEarlier,
  findWaiting,
  type RevocationCaller,
} from '#core/data/leads/revocations/count-revocations.ts'
import {
  findLeadsOfPerson,
  findRevocableLead,
  type RevocableFor,
  type RevocableLead,
} from '#core/data/leads/revocations/find-revocable.ts'
import { insertWaiting, type RevocationOrigin } from '#core/data/leads/revocations/write-revocation.ts'
import { readSource, type SourceCaller } from '#core/data/leads/sources/sources.ts'
import type { EventToEnqueue } from '#core/data/outbox/events.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import type { Principal } from '../../identity/find-live-session.ts'
import { applyRevocation } from '#core/use-cases/revocations/apply-revocation.ts'
import { gatherPerson, onlyContact } from './gather-person.ts'
import { readPerson } from './read-person.ts'

const NONE: RevocationReported = { outcome: 'none', revocation_id: null }

/**
 * Takes a client's report about a lead that it holds. For a lead that it bought it counts for everybody; for one that its
 * own source sent, for this client alone, because anybody can post own leads.
 * @throws AppError not_found, rate_limited
 */
export async function revokeHeldLead(
  context: ServerContext,
  caller: Principal,
  leadId: string,
): Promise<RevocationReported> {
  const lead = await findRevocableLead(context.db, { lead_id: leadId }, { holder: caller })
  if (lead === undefined) throw new AppError('not_found', 'Lead not found')
  return await reportForClient(context, caller, [lead])
}

/** Takes a client's report about a person, like {@link revokeHeldLead}. @throws AppError validation_failed, rate_limited */
export async function revokeHeldPerson(
  context: ServerContext,
  caller: Principal,
  report: RevocationReport,
): Promise<RevocationReported> {
  const leads = await findReported(context, report, { holder: caller })
  return leads.length === 0 ? NONE : await reportForClient(context, caller, leads)
}

/**
 * Takes a source's report about leads that it sent. If the source names a client, it counts for that client; otherwise
 * for the leads alone, which keeps nobody from leads of other sources.
 * @throws AppError validation_failed, rate_limited
 */
export async function revokeSentLeads(
  context: ServerContext,
  { source_id }: SourceCaller,
  report: RevocationReport,
): Promise<RevocationReported> {
  const leads = await findReported(context, report, { source_id })
  if (leads.length === 0) return NONE
  const owner = (await readSource(context.db, source_id))?.owner_user_id ?? null
  const origin: RevocationOrigin = {
    reported_by: 'source',
    reach: owner === null ? 'leads' : 'client',
    source_id,
    client_user_id: owner,
  }
  return await reportLeads(context, { source_id }, origin, leads)
}

async function reportForClient(
  context: ServerContext,
  caller: Principal,
  leads: readonly RevocableLead[],
): Promise<RevocationReported> {
  const bought = leads.filter(({ owner }) => owner === null)
  const origin: RevocationOrigin = {
    reported_by: 'client',
    reach: bought.length > 0 ? 'everybody' : 'client',
    client_user_id: caller.user_id,
    created_by: caller.person_id,
  }
  const about = bought.length > 0 ? bought : leads
  return await reportLeads(context, { client_user_id: caller.user_id }, origin, about)
}

async function reportLeads(
  context: ServerContext,
  by: RevocationCaller,
  origin: RevocationOrigin,
  leads: readonly RevocableLead[],
): Promise<RevocationReported> {
  const ids = leads.map(({ id }) => id)
  const person = await gatherPerson(context.db, origin, leads)
  const done = await repeatOnConflict(() =>
    context.db
      .transaction()
      .execute(async (trx): Promise<RevocationReported & { events?: EventToEnqueue[] }> => {
        const { today, waiting } = await countRevocations(trx, by)
        const earlier = await findWaiting(trx, by, ids)
        if (earlier !== undefined) return { outcome: 'waiting', revocation_id: earlier }
        if (today >= REVOCATIONS_A_DAY) {
          if (waiting >= REVOCATIONS_WAITING)
            throw new AppError(
              'rate_limited',
              'Too many revocations wait for an administrator. Try again later.',
              {
                retryAfterSeconds: 3600,
              },
            )
          return { outcome: 'waiting', revocation_id: await insertWaiting(trx, origin, ids) }
        }
        const applied = await applyRevocation(context.market, trx, origin, person)
        if (applied !== undefined)
          return { outcome: 'in_force', revocation_id: applied.id, events: applied.events }
        const client = origin.reach === 'client' ? (origin.client_user_id ?? undefined) : undefined
        return { outcome: 'known', revocation_id: (await findEarlier(trx, ids, client)) ?? null }
      }),
  )
  const { events = [], ...answer } = done
  context.announce.events(events)
  return answer
}

async function findReported(
  { db }: ServerContext,
  { contact, lead_id, external_id }: RevocationReport,
  by: RevocableFor,
): Promise<RevocableLead[]> {
  if (contact !== undefined) return await findLeadsOfPerson(db, onlyContact(readPerson(contact)), by)
  const named = lead_id === undefined ? { external_id: external_id ?? '' } : { lead_id }
  const lead = await findRevocableLead(db, named, by)
  return lead === undefined ? [] : [lead]
}
