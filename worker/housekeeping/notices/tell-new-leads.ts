import { sql } from 'kysely'
import { quietHoursSchema } from '#core/contract/market/client-account.ts'
import { readClock } from '#core/data/read-clock.ts'
import { listAwaitingLeads, takeUntoldLeads } from '#core/data/market/notices/new-leads.ts'
import { queueMails } from '#core/data/outbox/mails.ts'
import { endOfQuiet } from '#core/domain/market/notices/quiet-hours.ts'
import { uuidAt } from '#core/domain/uuid-at.ts'
import { readStored } from '#core/read-stored.ts'
import type { WorkerContext } from '#worker/context.ts'

/** Leads that come within this time after a mail share the next one. */
const APART_SECONDS = 120
/** A mail names this many leads; the others are counted. */
const MOST_NAMED = 20
const HOUR_MS = 3600 * 1000
/** A lead is told within a day of its sale, for example after quiet hours. */
const TOLD_WITHIN_HOURS = 25
const FIRST_OF_ITS_TIME = '00000000-0000-7000-8000-000000000000'

/**
 * Mails clients about new leads, if they chose so. It reads what was sold, so that selling a lead does nothing for it.
 * Any number of workers may run it: the one that marks a lead as told writes the mail, in the same transaction.
 */
export async function tellNewLeads({ db, market }: Pick<WorkerContext, 'db' | 'market'>): Promise<void> {
  const clients = await listAwaitingLeads(db, APART_SECONDS)
  if (clients.length === 0) return
  const now = await readClock(db)
  const hours = TOLD_WITHIN_HOURS + market.holdHours
  const oldest = uuidAt(new Date(now.getTime() - hours * HOUR_MS), FIRST_OF_ITS_TIME)
  for (const { user_id, with_contacts, zone, quiet_hours } of clients) {
    const quiet = quiet_hours === null ? null : readStored(quietHoursSchema, quiet_hours, 'quiet hours')
    // During quiet hours leads gather; one mail at their end names all of them.
    if (endOfQuiet(quiet, zone, now) > now) continue
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtext('new leads'), hashtext(${user_id}))`.execute(trx)
      const leads = await takeUntoldLeads(trx, user_id, oldest)
      const [newest] = leads
      if (newest === undefined) return
      const lead_ids = leads.slice(0, MOST_NAMED)
      const data = { lead_ids, more: leads.length - lead_ids.length, with_contacts }
      await queueMails(trx, [
        { template: 'new_leads', data, recipient_user_id: user_id, notice_key: `${newest}:${now.getTime()}` },
      ])
    })
  }
}
