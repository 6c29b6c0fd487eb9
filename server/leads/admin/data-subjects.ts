import type { DataErased, DataHeld } from '#core/contract/leads/data-subject.ts'
import {
  listLeadsOf,
  readAttemptsOf,
  readBeside,
  readDataHeld,
  removeBeside,
  type SubjectContact,
} from '#core/data/leads/data-subjects.ts'
import { findLeadRecord } from '#core/data/leads/lead-details.ts'
import { readLeadStory } from '#core/data/leads/lead-story.ts'
import { addSuppressions, findSuppressions, type SuppressedContact } from '#core/data/market/suppressions.ts'
import { readTimeline } from '#core/data/outbox/events.ts'
import { readContact } from '#core/domain/market/read-contact.ts'
import { AppError } from '#core/errors.ts'
import { removeErasedBytes } from '#core/use-cases/files/remove-freed-bytes.ts'
import { hashContact } from '#core/secrets/suppression-hash.ts'
import type { OperatorContext } from '../../operator-context.ts'
import { auditChange, type By } from '../../market/audit-change.ts'
import { refuseNaming } from '../../market/refuse-naming.ts'
import { eraseLeadForGood } from './erase-lead.ts'

/** Finds everything stored about a person with this phone or e-mail address. @throws AppError validation_failed */
export async function findDataHeld(context: OperatorContext, text: string): Promise<DataHeld> {
  const contact = readSubject(text)
  const [held, suppressions] = await Promise.all([
    readDataHeld(context.db, contact),
    findSuppressions(context.db, hashesOf(context, contact)),
  ])
  return { kind: contact.kind, ...held, suppressions }
}

/**
 * Erases a person everywhere: every lead with its attempts and files, messages, and imported rows that became no lead. The person
 * is suppressed first, so that nothing that comes meanwhile is sold. Each lead is erased in a transaction of its own; a
 * repeat continues. The audit log has counts, never the address.
 * @throws AppError validation_failed
 */
export async function eraseDataHeld(
  context: OperatorContext,
  by: By,
  given: { contact: string; reason: string },
): Promise<DataErased> {
  const contact = readSubject(given.contact)
  refuseAddress(contact, given.reason)
  const entry = { reason: 'erased', note: null, created_by: by.caller.user_id }
  await addSuppressions(context.db, [hashesOf(context, contact)], entry)
  const erased: DataErased = {
    leads: 0,
    cancelled_deliveries: 0,
    erased_attempts: 0,
    erased_files: 0,
    messages: 0,
    import_rows: 0,
  }
  for (const id of await listLeadsOf(context.db, contact)) {
    const one = await eraseLeadForGood(context, by, id, given.reason)
    erased.leads += 1
    erased.cancelled_deliveries += one.cancelled_deliveries
    erased.erased_attempts += one.erased_attempts
    erased.erased_files += one.erased_files
  }
  const { done, freed } = await context.db.transaction().execute(async (trx) => {
    const { freed_bytes, ...beside } = await removeBeside(trx, contact)
    const all = { ...erased, ...beside, erased_files: erased.erased_files + freed_bytes.length }
    const details = { kind: contact.kind, ...all, note: given.reason }
    await auditChange(trx, by, { action: 'person_erased', details })
    return { done: all, freed: freed_bytes }
  })
  await removeErasedBytes(context, freed)
  return done
}

/**
 * Everything that is stored about a person, as JSON text. The audit log has the ids of the leads, never the address.
 * @throws AppError validation_failed
 */
export async function exportDataHeld(
  context: OperatorContext,
  by: By,
  given: { contact: string; reason: string },
): Promise<string> {
  const { db } = context
  const contact = readSubject(given.contact)
  refuseAddress(contact, given.reason)
  const ids = await listLeadsOf(db, contact)
  const leads: unknown[] = []
  for (const id of ids) {
    const [lead, story, timeline, attempts] = await Promise.all([
      findLeadRecord(db, by.caller, id),
      readLeadStory(db, id),
      readTimeline(db, id, undefined),
      readAttemptsOf(db, id),
    ])
    const { receipt, holders, returns } = story ?? {}
    leads.push({ lead, receipt, given_to: holders, returns, timeline, attempts })
  }
  const suppressions = await findSuppressions(db, hashesOf(context, contact))
  const beside = await readBeside(db, contact)
  const details = { kind: contact.kind, lead_ids: ids.slice(0, 100), leads: ids.length, note: given.reason }
  await auditChange(db, by, { action: 'person_exported', details })
  const told = { contact: contact.value, made_at: new Date().toISOString(), leads, ...beside, suppressions }
  return JSON.stringify(told, null, 2)
}

function readSubject(text: string): SubjectContact {
  const reading = readContact(text)
  if (reading.ok) return reading.contact
  const { message } = reading
  throw new AppError('validation_failed', message, { errors: [{ path: 'contact', message }] })
}

/** The audit log keeps the reason for good. */
function refuseAddress({ kind, value }: SubjectContact, reason: string): void {
  const person = { name: null, email: null, phone: null, [kind]: value }
  refuseNaming('reason', reason, person)
}

function hashesOf({ market }: OperatorContext, { kind, value }: SubjectContact): SuppressedContact {
  return { kind, hashes: hashContact(market.suppressionKeys, kind, value) }
}
