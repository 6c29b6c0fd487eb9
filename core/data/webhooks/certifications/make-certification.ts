import { sql, type Kysely } from 'kysely'
import type { Grade } from '#core/contract/webhooks/certification-grade.ts'
import type { CertificationStop } from '#core/contract/webhooks/certification.ts'
import type { Db } from '../../database.ts'
import type { Database } from '../../schema/tables.ts'

/** A run that this worker makes; `tries` is the fencing token against earlier and later ones. */
export interface ClaimedCertification {
  id: string
  webhook_config_id: string
  client_user_id: string
  fingerprint: string
  steps: unknown
  tries: number
}

/**
 * Claims the run that has waited longest, one of a host and one of a client at a time, and counts this try: a client with
 * many slow endpoints delays no other client.
 */
export async function claimCertification(
  db: Kysely<Database>,
  leaseSeconds: number,
): Promise<ClaimedCertification | undefined> {
  return await db.transaction().execute(async (trx) => {
    // Claims are made one after the other, or two workers that look at once would both begin a run for one host.
    await sql`select pg_advisory_xact_lock(hashtext('leadwire certification claims'))`.execute(trx)
    return await claimNext(trx, leaseSeconds)
  })
}

async function claimNext(trx: Db, leaseSeconds: number): Promise<ClaimedCertification | undefined> {
  const { rows } = await sql<ClaimedCertification>`
    update endpoint_certifications set state = 'running', tries = tries + 1, started_at = coalesce(started_at, now()),
      lease_until = now() + make_interval(secs => ${leaseSeconds})
    where id = (
      select id from endpoint_certifications e
      where state in ('waiting', 'running') and (lease_until is null or lease_until < now())
        and not exists (
          select from endpoint_certifications r
          where (r.host = e.host or r.client_user_id = e.client_user_id) and r.state = 'running' and r.lease_until >= now())
      order by created_at, id limit 1 for update skip locked)
    returning id, webhook_config_id, client_user_id, fingerprint, steps, tries`.execute(trx)
  return rows[0]
}

type Held = Pick<ClaimedCertification, 'id' | 'tries'>

/**
 * Extends the lease, and stores the steps if they are given.
 * @returns false if the run has ended, or another worker has it
 */
export async function noteCertification(
  db: Db,
  { id, tries }: Held,
  { steps, leaseSeconds }: { steps: string | null; leaseSeconds: number },
): Promise<boolean> {
  const { rows } = await sql`
    update endpoint_certifications set steps = coalesce(${steps}::jsonb, steps),
      lease_until = now() + make_interval(secs => ${leaseSeconds})
    where id = ${id} and tries = ${tries} and state = 'running' returning id`.execute(db)
  return rows.length > 0
}

/** Ends the run with a grade, or with the reason for which it was stopped. It does nothing if another worker has it. */
export async function endCertification(
  db: Db,
  { id, tries }: Held,
  end: { steps: string; grade: Grade } | { steps: string; stop: CertificationStop },
): Promise<void> {
  const grade = 'grade' in end ? end.grade : null
  const stop = 'stop' in end ? end.stop : null
  await sql`
    update endpoint_certifications set state = ${grade === null ? 'stopped' : 'done'}, grade = ${grade}, stop = ${stop},
      steps = ${end.steps}::jsonb, finished_at = now(), lease_until = null
    where id = ${id} and tries = ${tries} and state = 'running'`.execute(db)
}

/**
 * Lets a worker continue it.
 * @param given.isCounted whether this try counts as one without a result
 */
export async function releaseCertification(
  db: Db,
  { id, tries }: Held,
  { seconds, isCounted }: { seconds: number; isCounted: boolean },
): Promise<void> {
  await sql`
    update endpoint_certifications set state = 'waiting', tries = tries - ${isCounted ? 0 : 1}::int,
      lease_until = now() + make_interval(secs => ${seconds})
    where id = ${id} and tries = ${tries} and state = 'running'`.execute(db)
}

/** Removes runs that were asked for before a time, and those of deleted webhooks once they count for no host. */
export async function removeOldCertifications(db: Db, before: Date): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    delete from endpoint_certifications e where created_at < ${before}
      or (created_at < now() - interval '24 hours'
        and not exists (select from client_webhook_configs c where c.id = e.webhook_config_id))
    returning id`.execute(db)
  return rows.length
}
