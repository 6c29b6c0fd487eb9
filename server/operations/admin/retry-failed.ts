import { countFailed, RETRY_BATCH, retryEvents, retryMails } from '#core/data/outbox/retry-failed.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { auditChange, type By } from '../../market/audit-change.ts'
import type { OperatorContext } from '../../operator-context.ts'

/**
 * Has everything of a kind tried again that was given up: events that PostgreSQL refused to plan, or mails that the mail
 * server refused. With `dry_run` it only counts. It works in batches, each with a row of the audit log, so a repeat
 * after an interruption continues.
 * @param of.since events that failed, or mails that were made, from then on
 */
export async function retryFailed(
  { db }: Pick<OperatorContext, 'db'>,
  by: By,
  {
    kind,
    since,
    dry_run,
    note,
  }: { kind: 'events' | 'mails'; since?: Date; dry_run: boolean; note: string | null },
): Promise<{ count: number }> {
  if (dry_run) return { count: await countFailed(db, kind, since) }
  const retry = kind === 'events' ? retryEvents : retryMails
  const action = kind === 'events' ? 'events_retried' : 'mails_retried'
  let count = 0
  for (let done = RETRY_BATCH; done === RETRY_BATCH;) {
    done = await repeatOnConflict(() =>
      db.transaction().execute(async (trx) => {
        const some = await retry(trx, since)
        if (some > 0) await auditChange(trx, by, { action, details: { count: some, note } })
        return some
      }),
    )
    count += done
  }
  return { count }
}
