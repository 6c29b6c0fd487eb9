import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'

/** The row of lead_mail_lines that is the token bucket of the installation. */
const INSTALLATION = '00000000-0000-0000-0000-000000000000'
const HOUR_SECONDS = 3600
/** The part of an hour's mails that may leave at once; with those that follow in the hour, there are never more. */
const BURST_PART = 60

/** One mail of a lead that is about to be sent. */
export interface LeadMailTurn {
  client: string
  /** whether it has not waited before; such a mail goes behind those of its client that wait */
  isNew: boolean
  /** MAIL_LEADS_PER_HOUR */
  perHour: number
}

/**
 * Takes one of the mails that may leave in an hour, over all workers. Each client has a line of its own, so that nobody
 * waits behind another client's burst.
 * @returns undefined if it may leave now; otherwise when it should ask again
 */
export async function takeLeadMail(
  db: Db,
  { client, isNew, perHour }: LeadMailTurn,
): Promise<Date | undefined> {
  const burst = Math.max(1, Math.floor(perHour / BURST_PART))
  const each = HOUR_SECONDS / (perHour - burst + 1)
  const { rows: taken } = await sql`
    update lead_mail_lines b set free_at = greatest(b.free_at, now()) + make_interval(secs => ${each})
    where b.id = ${INSTALLATION} and b.free_at <= now() + make_interval(secs => ${(burst - 1) * each})
      and not (${isNew}::boolean and exists (
        select from lead_mail_lines own where own.id = ${client} and own.free_at > now()))
    returning b.id`.execute(db)
  if (taken.length > 0) return undefined
  const next = sql`(greatest(now(), b.free_at - make_interval(secs => ${(burst - 1) * each})))`
  const { rows } = await (
    isNew
      ? sql<{ at: Date }>`
          insert into lead_mail_lines as own (id, free_at)
          select ${client}::uuid, ${next} + make_interval(secs => ${each}) from lead_mail_lines b where b.id = ${INSTALLATION}
          on conflict (id) do update
          set free_at = greatest(own.free_at + make_interval(secs => ${each}), excluded.free_at)
          returning free_at as at`
      : sql<{ at: Date }>`
          select ${next} + random() * make_interval(secs => ${each}) as at
          from lead_mail_lines b where b.id = ${INSTALLATION}`
  ).execute(db)
  return rows[0]?.at
}
