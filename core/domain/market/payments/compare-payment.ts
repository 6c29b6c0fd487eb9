import type { Reversal } from './judge-reversal.ts'
import { sayReported } from './say-reported.ts'

/** A payment in the provider's records; amounts in the smallest unit of its currency. */
export interface ReportedPayment {
  /** the provider's name */
  intent: string
  created: Date
  /** our name, which the provider was given */
  payment: string
  isPaid: boolean
  amount: number
  currency: string
  refunded: number
}

/** A dispute in the provider's records. */
export interface ReportedDispute extends Pick<Reversal, 'state' | 'amount'> {
  id: string
  created: Date
  intent: string | null
  currency: string
}

/** A payment in our records; amounts in cents. */
export interface KeptPayment {
  id: string
  intent: string | null
  status: 'pending' | 'received' | 'failed' | 'cancelled'
  /** whether it already says so and waits for an administrator, or an administrator has rejected it */
  isFlagged: boolean
  /** whether an administrator has decided it, knowing the amount */
  isDecided: boolean
  amount: number
  /** the returned amount, as far as the provider has reported */
  refunded: number
}

/** A dispute in our records. */
export interface KeptDispute extends Pick<Reversal, 'state' | 'amount'> {
  id: string
}

/** `unknown`: a payment that is not in our records; `not_credited`: paid only there; `not_paid`: credited only here. */
export type DifferenceKind = 'unknown' | 'not_credited' | 'not_paid' | 'amount' | 'refund' | 'dispute'

/** One difference, with each side in words. */
export interface Difference {
  kind: DifferenceKind
  ours: string
  theirs: string
}

/** @param kept the payment with that intent, or otherwise the one that it names; undefined if there is none */
export function comparePayment(reported: ReportedPayment, kept: KeptPayment | undefined): Difference[] {
  const { isPaid, amount, currency, refunded } = reported
  const theirs = isPaid ? `paid, ${sayReported(amount, currency)}` : 'not paid'
  if (kept === undefined) return isPaid ? [{ kind: 'unknown', ours: 'not here', theirs }] : []
  // Money that an administrator confirmed has no provider's name, and differs from the money that a page brings.
  const isByHand = kept.status === 'received' && kept.isDecided
  const isIts = kept.intent === null ? !isByHand : kept.intent === reported.intent
  const ours = `${kept.status}, ${sayReported(kept.amount, 'usd')}`
  if (kept.status !== 'received' || !isIts) {
    // A fully returned payment needs no credit any more; one that waits for an administrator, or that was rejected, is
    // known.
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
