import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { IS_DUE_AGAIN } from '../market/sale/unsold-leads.ts'

/**
 * Tells which of a worker's chores have something to do. `true` may be wrong, `false` never is: the chore checks for
 * itself.
 */
export interface WorkToDo {
  /** events that Redis should have by now */
  unenqueued: boolean
  /** events that should be planned by now */
  unplanned: boolean
  /** deliveries that are due and in nobody's hands */
  due: boolean
  /** deliveries that may have to be sent alone */
  alone: boolean
  /**
   * deliveries that are held and may be released, or endpoints that are to be probed or to get their held deliveries
   */
  held: boolean
  /** mails that are due */
  mails: boolean
  /** unsold leads that are due to be offered again, or whose hold has ended */
  unsold: boolean
  /** leads with a finally failed delivery that are to be examined */
  undelivered: boolean
  /** balances that may have crossed a line */
  funding: boolean
  /** charges to be requested from the payment provider */
  charges: boolean
  /** payment pages and payment methods that the payment provider is to end */
  provider_ends: boolean
  /** files to be read, or rows to become leads */
  imports: boolean
  /** sold leads of a source to be returned */
  recalls: boolean
  /** clients that hold a revoked lead, and of which a receipt or a mail may be due */
  revocations: boolean
  /** receipts of payments to be stored as files */
  receipts: boolean
  /** files of leads or ledgers to be made */
  exports: boolean
  /** endpoints to be certified */
  certifications: boolean
  /** first attempts that may have begun late, or late leads to be credited */
  late: boolean
}

/**
 * Looks for work with one query, which is all that an idle system asks. Each part is the first entry of an index that
 * holds only unfinished rows.
 * @param of.types the types that this version consumes
 * @param of.unplannedSeconds age after which an unplanned event counts
 */
export async function readWorkToDo(
  db: Db,
  of: { types: readonly string[]; unplannedSeconds: number },
): Promise<WorkToDo> {
  const types = sql`${[...of.types]}::text[]`
  const { rows } = await sql<WorkToDo>`
    select
      exists (select from events where enqueued_at is null and created_at < now() - interval '2 seconds'
        and failed_at is null and type = any(${types})) as unenqueued,
      exists (select from events where planned_at is null
        and enqueued_at < now() - make_interval(secs => ${of.unplannedSeconds})
        and failed_at is null and type = any(${types})) as unplanned,
      exists (select from webhook_deliveries where state = 'pending'
        and next_attempt_at <= now() and (lease_until is null or lease_until < now())) as due,
      exists (select from webhook_deliveries where state = 'pending' and lost_leases > 0
        and next_attempt_at <= now() and (lease_until is null or lease_until < now()))
        or exists (select from webhook_endpoint_health where alone_until > now()) as alone,
      exists (select from webhook_deliveries where state = 'held' and offered_until is null)
        or exists (select from webhook_endpoint_health where breaker = 'open' and probe_at <= now())
        or exists (select from webhook_endpoint_health where releasing_since is not null) as held,
      exists (select from mails where next_try_at <= now()) as mails,
      exists (select from lead_types where ${IS_DUE_AGAIN})
        or exists (select from leads where status = 'unassigned' and coalesce(expires_at, created_at) <= now()) as unsold,
      exists (select from undelivered_leads where due_at <= now()) as undelivered,
      exists (select from client_funding where due_at <= now()) as funding,
      exists (select from payments where ask_at <= now() and status = 'pending' and failure is null) as charges,
      exists (select from payment_provider_ends where due_at <= now()) as provider_ends,
      exists (select from lead_imports where state in ('reading', 'running')) as imports,
      exists (select from lead_recalls where ended_at is null) as recalls,
      exists (select from payments where status = 'received' and receipt_number is not null
        and receipt_stored_at is null) as receipts,
      exists (select from exports where state in ('waiting', 'running')
        and (lease_until is null or lease_until < now())) as exports,
      exists (select from revocation_holders where acknowledged_at is null and look_at <= now()) as revocations,
      exists (select from endpoint_certifications where state in ('waiting', 'running')
        and (lease_until is null or lease_until < now())) as certifications,
      exists (select from late_starts where check_at <= now())
        or exists (select from late_leads where credit = 'waiting' and wait_until <= now()) as late
  `.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('PostgreSQL answered nothing')
  return row
}
