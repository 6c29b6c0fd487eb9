import { requireCents } from './cents.ts'

/**
 * Whether an adjustment waits for a second administrator: above the limit, and always for the administrator's own
 * account (docs/product.md §4). Those of the last 24 hours count with it, so that nobody passes the limit in parts.
 * @param adjustment.recent dollars that this administrator moved at this client alone in {@link ADJUSTMENT_HOURS}
 * @param limit dollars; 0: always
 */
export function needsSecondPerson(
  { amount, recent, isOwn }: { amount: string; recent: string; isOwn: boolean },
  limit: number,
): boolean {
  return isOwn || Math.abs(requireCents(amount)) + requireCents(recent) > limit * 100
}

/** Hours in which an administrator's adjustments for one client are added up. */
export const ADJUSTMENT_HOURS = 24

/** Says who may confirm an adjustment; `with_factor`: the only administrator, after proving the second factor again. */
export type Confirming = 'yes' | 'with_factor' | 'no'

/**
 * Whether a person may confirm an adjustment. Nobody confirms one of the own account.
 * @param others how many other administrators there are
 */
export function judgeConfirming(
  { asked_by, client_user_id }: { asked_by: string; client_user_id: string },
  { user_id, others }: { user_id: string; others: number },
): Confirming {
  if (client_user_id === user_id) return 'no'
  if (asked_by !== user_id) return 'yes'
  return others === 0 ? 'with_factor' : 'no'
}
