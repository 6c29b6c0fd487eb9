import { sql } from 'kysely'
import {
  EXCEPTIONS_LISTED,
  type FailedDelivery,
  type WaitingReturn,
} from '#core/contract/market/delivery-figures.ts'
import { RETURNED_LEAD_NAME } from '#core/contract/leads/lead.ts'
import type { Db } from '../../database.ts'
import { hasEnded } from '../sale/ended-assignments.ts'
import { failedDeliveries, type CountedDeliveries } from './delivery-figures.ts'

type StoredFailure = Omit<FailedDelivery, 'failed_at' | 'lead'> & {
  failed_at: Date
  lead_id: string
  lead_name: string | null
  lead_state: string | null
}

/** The newest of these deliveries that finally failed, with one more than are listed if there are more. */
export async function listFailedDeliveries(db: Db, of: CountedDeliveries): Promise<FailedDelivery[]> {
  const { rows } = await sql<StoredFailure>`
    /* planned for its values */ select d.id as delivery_id, g.id as attempt_id, d.finished_at as failed_at, d.attempt as attempts,
      d.failure_class as reason, g.error_message as message, d.webhook_config_id, c.webhook_name, c.is_active,
      ${hasEnded(sql`d.lead_id`, sql`${of.client}`)} as is_returned, d.lead_id, l.name as lead_name, l.state as lead_state
    from (
      select d.* from ${failedDeliveries(of)} order by d.finished_at desc, d.id desc limit ${EXCEPTIONS_LISTED + 1}
    ) d
    join client_webhook_configs c on c.id = d.webhook_config_id join leads l on l.id = d.lead_id
    left join lateral (
      select g.id, g.error_message from webhook_delivery_logs g
      where g.lead_id = d.lead_id and g.delivery_id = d.id and g.attempt_number = d.attempt
        -- An attempt begins at most an exchange before its delivery ends; the rest of the log is not looked at.
        and g.created_at between d.finished_at - interval '1 hour' and d.finished_at
      order by g.created_at desc limit 1
    ) g on true
    order by d.finished_at desc, d.id desc`.execute(db)
  return rows.map(({ failed_at, lead_id: id, lead_name, lead_state: state, ...row }) => ({
    ...row,
    failed_at: failed_at.toISOString(),
    lead: { id, name: row.is_returned ? RETURNED_LEAD_NAME : lead_name, state },
  }))
}

type StoredReturn = Omit<WaitingReturn, 'created_at' | 'lead'> & {
  created_at: Date
  lead_id: string
  lead_name: string | null
  lead_state: string | null
}

/** The newest undecided requests of a client, with one more than are listed if there are more. */
export async function listWaitingReturns(
  db: Db,
  { client, member, state }: Pick<CountedDeliveries, 'client' | 'member' | 'state'>,
): Promise<WaitingReturn[]> {
  const { rows } = await sql<StoredReturn>`
    select r.id, r.reason, r.asked_by, a.price, r.created_at, r.lead_id, l.state as lead_state,
      case when ${hasEnded(sql`l.id`, sql`${client}`)} then ${RETURNED_LEAD_NAME} else l.name end as lead_name
    from lead_returns r join lead_assignments a on a.id = r.assignment_id join leads l on l.id = r.lead_id
    where r.client_user_id = ${client} and r.status = 'pending'
      and ${member === undefined ? sql`true` : sql`l.member_user_id = ${member}`}
      and ${state === undefined ? sql`true` : sql`l.state = ${state}`}
    order by r.created_at desc, r.id desc limit ${EXCEPTIONS_LISTED + 1}`.execute(db)
  return rows.map(({ created_at, lead_id: id, lead_name: name, lead_state, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
    lead: { id, name, state: lead_state },
  }))
}
