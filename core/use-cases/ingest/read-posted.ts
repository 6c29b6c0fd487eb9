import { createHash, randomUUIDv7 } from 'node:crypto'
import type { FieldError } from '#core/contract/problem.ts'
import type { LeadRow } from '#core/data/leads/receive-leads.ts'
import type { SourceCaller } from '#core/data/leads/sources/sources.ts'
import type { NormalisedLead } from '#core/domain/leads/normalise-lead.ts'
import { readLead } from './read-lead.ts'
import { UnreadableLine } from './unreadable-line.ts'

/** One lead of a request: what was posted, and the idempotency key that covers it. */
export interface PostedLead {
  item: unknown
  idempotencyKey: string | undefined
  /** it is a test, whatever its fields say; no later lead is refused as a repetition of it */
  isTrial?: true
}

/** A lead that can be stored, or its faults. */
export type Reading = { row: LeadRow; errors?: never } | { row?: never; errors: FieldError[] }

export function readPosted(
  source: SourceCaller,
  { item, idempotencyKey, isTrial }: PostedLead,
  now = new Date(),
): Reading {
  if (item instanceof UnreadableLine) return { errors: [{ path: '', message: item.message }] }
  const reading = readLead(item, now)
  if (!reading.ok) return { errors: reading.errors }
  const row = toRow(reading.lead, source, idempotencyKey)
  if (reading.warnings.length > 0) row.warnings = reading.warnings
  return { row: isTrial === true ? { ...row, is_test: true, external_id: null } : row }
}

function toRow(lead: NormalisedLead, source: SourceCaller, idempotencyKey: string | undefined): LeadRow {
  return {
    ...lead,
    id: randomUUIDv7(),
    user_id: null,
    source_id: source.source_id,
    source_key_id: source.key_id ?? null,
    idempotency_key: idempotencyKey ?? null,
    // normaliseLead writes its fields in one fixed order, so equal leads have equal text.
    ingest_fingerprint: `\\x${createHash('sha256').update(JSON.stringify(lead)).digest('hex')}`,
  }
}
