import type { Reversal } from './judge-reversal.ts'
import { sayReported } from './say-reported.ts'

/** A payment as the provider has it; amounts in the smallest unit of its currency. */
export interface ReportedPayment {
  /** its own name */
  intent: string
  created: Date
  /** our name, which it was told */
  payment: string
  isPaid: boolean
  amount: number
  currency: string
  refunded: number
}

/** A dispute as the provider has it. */
export interface ReportedDispute extends Pick<Reversal, 'state' | 'amount'> {
  id: string
  created: Date
  intent: string | null
  currency: string
}

/** A payment as it is here; amounts in cents. */
export interface KeptPayment {
  id: string
  intent: string | null
  status: 'pending' | 'received' | 'failed' | 'cancelled'
  /** it says so itself, and waits for an administrator, or one has rejected it */
  isFlagged: boolean
  /** an administrator has decided it, and knows what came */
  isDecided: boolean
  amount: number
  /** the amount that was paid back, as far as the provider has told */
  refunded: number
}

/** A dispute as it is here. */
export interface KeptDispute extends Pick<Reversal, 'state' | 'amount'> {
  id: string
}

/** `unknown`: a payment that is not here; `not_credited`: paid there alone; `not_paid`: credited here alone. */
export type DifferenceKind = 'unknown' | 'not_credited' | 'not_paid' | 'amount' | 'refund' | 'dispute'

/** One difference, with each side in words. */
export interface Difference {
  kind: DifferenceKind
  ours: string
  theirs: string
}

/** @param kept the payment of that intent, or else the one that it names; undefined where there is none */
export function comparePayment(reported: ReportedPayment, kept: KeptPayment | undefined): Difference[] {
  const { isPaid, amount, currency, refunded } = reported
  const theirs = isPaid ? `paid, ${sayReported(amount, currency)}` : 'not paid'
  if (kept === undefined) return isPaid ? [{ kind: 'unknown', ours: 'not here', theirs }] : []
  // Money that an administrator received has no provider's name, and is other money than a page brings.
  const isByHand = kept.status === 'received' && kept.isDecided
  const isIts = kept.intent === null ? !isByHand : kept.intent === reported.intent
  const ours = `${kept.status}, ${sayReported(kept.amount, 'usd')}`
  if (kept.status !== 'received' || !isIts) {
    // A payment that was paid back whole needs no credit any more; one that waits for an administrator, or that one has rejected, is known.
    const isOver = !isPaid || refunded >= amount || (isIts && kept.isFlagged)
    return isOver ? [] : [{ kind: 'not_credited', ours: isIts ? ours : `${ours}, for other money`, theirs }]
  }
  if (!isPaid) return kept.isDecided ? [] : [{ kind: 'not_paid', ours, theirs }]
  const differences: Difference[] = []
  if (!kept.isDecided && (currency !== 'usd' || amount !== kept.amount))
    differences.push({ kind: 'amount', ours, theirs })
  if (refunded !== kept.refunded)
    differences.push({
      kind: 'refund',
      ours: `${sayReported(kept.refunded, currency)} went back`,
      theirs: `${sayReported(refunded, currency)} went back`,
    })
  return differences
}

export function compareDispute(reported: ReportedDispute, kept: KeptDispute | undefined): Difference[] {
  const { state, amount, currency } = reported
  if (kept !== undefined && kept.state === state && kept.amount === amount) return []
  const say = (dispute: Pick<Reversal, 'state' | 'amount'>) =>
    `${dispute.state}, ${sayReported(dispute.amount, currency)}`
  return [{ kind: 'dispute', ours: kept === undefined ? 'not here' : say(kept), theirs: say(reported) }]
}
