import { requireCents } from './cents.ts'

/**
 * Whether an adjustment waits for a second administrator: above the limit, and always for the administrator's own
 * account (docs/product.md §4).
 * @param limit dollars; 0: always
 */
export function needsSecondPerson(
  { amount, isOwn }: { amount: string; isOwn: boolean },
  limit: number,
): boolean {
  return isOwn || Math.abs(requireCents(amount)) > limit * 100
}

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
