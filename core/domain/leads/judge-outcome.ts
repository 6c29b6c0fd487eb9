import type { Outcome } from '#core/contract/leads/lead-outcome.ts'
import type { DISPOSITIONS } from '#core/contract/leads/lead.ts'
import type { ReturnReason } from '#core/contract/market/lead-return.ts'

export type Disposition = (typeof DISPOSITIONS)[number]

interface Consequence {
  /** null: it stays as it is */
  disposition: Disposition | null
  /** the reason of the return that it asks for; null: none */
  returns: ReturnReason | null
}

const sets = (disposition: Disposition, returns: ReturnReason | null = null): Consequence => ({
  disposition,
  returns,
})

const CONSEQUENCES: Readonly<Record<Outcome, Consequence>> = {
  attempted: sets('attempted'),
  contacted: sets('contacted'),
  follow_up: sets('follow_up'),
  appointment: sets('appointment'),
  quoted: sets('quoted'),
  sold: sets('sold'),
  not_interested: sets('not_interested'),
  bad_phone: sets('bad_number', 'disconnected_number'),
  wrong_person: sets('wrong_person', 'wrong_number'),
  do_not_contact: sets('do_not_contact'),
  duplicate: { disposition: null, returns: 'duplicate_from_us' },
}

/** The consequence of an outcome (docs/product.md §4). */
export function judgeOutcome(outcome: Outcome): Consequence {
  return CONSEQUENCES[outcome]
}
