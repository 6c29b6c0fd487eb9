import { setImmediate } from 'node:timers/promises'
import {
  REFUSED_LINES_TOLD,
  SUPPRESSION_LINES,
  type NewSuppressions,
  type SuppressionsAdded,
} from '#core/contract/market/suppression.ts'
import { trimCode } from '#core/contract/trim-invisible.ts'
import { addSuppressions, type SuppressedContact } from '#core/data/market/suppressions.ts'
import { cutContacts, readContact } from '#core/domain/market/read-contact.ts'
import { AppError } from '#core/errors.ts'
import { hashContact } from '#core/secrets/suppression-hash.ts'
import type { ServerContext } from '../../context.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { auditChange, type By } from '../audit-change.ts'

/** Numbers read in one slice, some milliseconds; then other requests of this process get their turn. */
const PIECE = 200

/**
 * Adds pasted lines to the suppression list. A line that is neither a phone number nor an e-mail address is
 * reported by its number; the rest is kept.
 * @throws AppError validation_failed
 */
export async function suppressContacts(
  context: ServerContext,
  by: By,
  { contacts, reason, note }: NewSuppressions,
): Promise<SuppressionsAdded> {
  const given = cutContacts(contacts)
    .map(({ line, value }) => ({ line, value: trimCode(value) }))
    .filter(({ value }) => value !== '')
  if (given.length === 0) throw unusable('Give at least one phone number or e-mail address')
  if (given.length > SUPPRESSION_LINES) throw unusable('Give at most 10,000 at a time')
  const hashes: SuppressedContact[] = []
  const refused: SuppressionsAdded['refused'] = []
  for (const [index, { line, value }] of given.entries()) {
    if (index % PIECE === PIECE - 1) await setImmediate()
    const reading = readContact(value)
    if (!reading.ok) refused.push({ line, message: reading.message })
    else {
      const { kind, value: contact } = reading.contact
      hashes.push({ kind, hashes: hashContact(context.market.suppressionKeys, kind, contact) })
    }
  }
  const added = await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const entry = { reason, note: note === '' ? null : (note ?? null), created_by: by.caller.user_id }
      const count = await addSuppressions(trx, hashes, entry)
      const details = { reason, added: count, known: hashes.length - count, refused: refused.length }
      if (hashes.length > 0) await auditChange(trx, by, { action: 'suppressions_added', details })
      return count
    }),
  )
  return {
    added,
    known: hashes.length - added,
    refused_count: refused.length,
    refused: refused.slice(0, REFUSED_LINES_TOLD),
  }
}

function unusable(message: string): AppError {
  return new AppError('validation_failed', 'The body has 1 fault(s).', {
    errors: [{ path: 'contacts', message }],
  })
}
