import { sql } from 'kysely'
import type { PaymentComparison, PaymentDifference } from '#core/contract/market/money/payment-difference.ts'
import { clientName } from '../../accounts/named-client.ts'
import type { Db } from '../../database.ts'

/** A difference that was found; `provider_id` is the provider's name of the payment or the dispute. */
export type FoundDifference = Pick<
  PaymentDifference,
  'kind' | 'provider_id' | 'payment_id' | 'ours' | 'theirs'
>

/** Limit of differences that are shown; more of them mean that the fault is not in single payments. */
const MOST_SHOWN = 200

/**
 * Claims the daily comparison.
 * @returns the time since which it compares; undefined if it was made, or is being made
 */
export async function claimComparison(db: Db, days: number): Promise<{ at: Date; since: Date } | undefined> {
  const { rows } = await sql<{ at: Date; since: Date }>`
    update payment_comparison set begun_at = now()
    where begun_at is null or begun_at < now() - interval '1 day'
      -- It failed, or who made it has died.
      or begun_at < now() - interval '2 hours' and (failure is not null or finished_at is null or finished_at < begun_at)
    returning now() as at, now() - make_interval(days => ${days}) as since`.execute(db)
  return rows[0]
}

/** Replaces the differences of the last comparison, in one transaction. */
export async function keepDifferences(
  trx: Db,
  { at, since, compared }: { at: Date; since: Date; compared: number },
  found: readonly FoundDifference[],
): Promise<void> {
  for (const difference of found)
    await trx
      .insertInto('payment_differences')
      .values({ ...difference, seen_at: at })
      .onConflict((conflict) =>
        conflict.columns(['kind', 'provider_id']).doUpdateSet({
          payment_id: difference.payment_id,
          ours: difference.ours,
          theirs: difference.theirs,
          seen_at: at,
        }),
      )
      .execute()
  await trx.deleteFrom('payment_differences').where('seen_at', '<', at).execute()
  await trx
    .updateTable('payment_comparison')
    .set({ finished_at: sql<Date>`now()`, since, compared, failure: null })
    .execute()
}

/** The provider was away: the last differences stay, and the comparison is repeated in two hours. */
export async function failComparison(db: Db, failure: string): Promise<void> {
  await db
    .updateTable('payment_comparison')
    .set({ failure: failure.slice(0, 200) })
    .execute()
}

/** The differences that the last comparison found, newest first, for administrators. */
export async function readComparison(db: Db): Promise<Omit<PaymentComparison, 'is_configured'>> {
  const state = await db
    .selectFrom('payment_comparison')
    .select(['finished_at', 'since', 'compared', 'failure'])
    .select(sql<number>`(select count(*)::int from payment_differences)`.as('count'))
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('payment_differences as d')
    .leftJoin('payments as t', 't.id', 'd.payment_id')
    .leftJoin('profiles as p', 'p.user_id', 't.client_user_id')
    .select(['d.kind', 'd.provider_id', 'd.payment_id', 'd.ours', 'd.theirs', 'd.found_at'])
    .select(['p.user_id', 'p.email', clientName('p').as('name')])
    .orderBy('d.found_at', 'desc')
    .orderBy('d.provider_id')
    .limit(MOST_SHOWN)
    .execute()
  return {
    data: rows.map(({ user_id, email, name, found_at: at, ...row }) => ({
      ...row,
      found_at: at.toISOString(),
      client: user_id === null ? null : { user_id, email: email ?? '', name },
    })),
    count: state.count,
    compared: state.compared,
    compared_at: state.finished_at?.toISOString() ?? null,
    since: state.since?.toISOString() ?? null,
    failure: state.failure,
  }
}
