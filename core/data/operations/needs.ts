import { sql, type RawBuilder } from 'kysely'
import {
  NEEDS_COUNTED,
  NEEDS_LISTED,
  UNSOLD_COUNTED,
  type Need,
  type NeedKind,
} from '#core/contract/operations/needs.ts'
import { clientName } from '../accounts/named-client.ts'
import type { Db } from '../database.ts'
import { hasOwnAccount, isOfClient } from '../accounts/own-account.ts'
import { IS_OPEN } from '../leads/revocations/receipts.ts'
import { IS_OUT_OF_FUNDS } from '../market/out-of-funds.ts'

/** One kind of work that waits for an administrator: the number, up to one more than is counted, and the first of it. */
export interface FoundNeeds {
  count: number
  items: Need[]
}

type SqlKind = Exclude<NeedKind, 'endpoint' | 'unsold'>

const CLIENT_NAME = clientName('p')
const CLIENT = (id: string) => sql`join profiles p on p.user_id = ${sql.ref(id)}`

/** SQL: each kind in the columns of a {@link Need}, those that have waited longest first. */
const KINDS: Readonly<Record<SqlKind, RawBuilder<unknown>>> = {
  approval: sql`
    select a.user_id as id, ${CLIENT_NAME} as name, null as detail, null as amount, null as leads, a.created_at as at
    from client_accounts a join profiles p on p.user_id = a.user_id join auth.users u on u.id = a.user_id
    where a.status = 'onboarding' and p.status = 'active' and ${isOfClient} and u.deleted_at is null and ${hasOwnAccount}
    order by a.created_at, a.user_id`,
  // A payment that the client makes on the provider's page needs nobody, unless something else was reported.
  payment: sql`
    select t.id, ${CLIENT_NAME} as name, t.method as detail, coalesce(t.told_amount, t.amount)::text as amount, null as leads, t.created_at as at
    from payments t ${CLIENT('t.client_user_id')}
    where t.status = 'pending' and (t.method = 'request' or t.failure is not null) order by t.created_at, t.id`,
  return: sql`
    select r.id, ${CLIENT_NAME} as name, r.reason as detail, s.price::text as amount, null as leads, r.created_at as at
    from lead_returns r join lead_assignments s on s.id = r.assignment_id ${CLIENT('r.client_user_id')}
    where r.status = 'pending' order by r.created_at, r.id`,
  funds: sql`
    select a.user_id as id, ${CLIENT_NAME} as name, null as detail, p.balance::text as amount, null as leads, null::timestamptz as at
    from client_accounts a join profiles p on p.user_id = a.user_id
    where ${IS_OUT_OF_FUNDS}
    order by p.balance, a.user_id`,
  message: sql`
    select m.id, m.reference as name, m.topic as detail, null as amount, null as leads, m.created_at as at
    from contact_messages m where m.answered_at is null order by m.created_at, m.id`,
  difference: sql`
    select d.provider_id as id, case when d.payment_id is null then d.provider_id else ${CLIENT_NAME} end as name, d.kind as detail,
      null as amount, null as leads, d.found_at as at
    from payment_differences d left join payments t on t.id = d.payment_id
      left join profiles p on p.user_id = t.client_user_id
    order by d.found_at, d.provider_id`,
  adjustment: sql`
    select j.id, ${CLIENT_NAME} as name, j.note as detail, j.amount::text as amount, null as leads, j.created_at as at
    from pending_adjustments j ${CLIENT('j.client_user_id')}
    where j.status = 'pending' and j.expires_at > now() order by j.created_at, j.id`,
  revocation: sql`
    select r.id, coalesce((select s.name from sources s where s.id = r.source_id), (
        select ${CLIENT_NAME} from profiles p where p.user_id = r.client_user_id)) as name, null as detail, null as amount,
      cardinality(r.lead_ids) as leads, r.created_at as at
    from revocations r where r.status = 'waiting' order by r.created_at, r.id`,
  overdue_revocation: sql`
    select h.revocation_id as id, ${CLIENT_NAME} as name, null as detail, null as amount, 1 as leads, h.due_at as at
    from revocation_holders h ${CLIENT('h.client_user_id')}
    where ${IS_OPEN} and h.due_at <= now() order by h.due_at, h.id`,
  late_credit: sql`
    select k.assignment_id as id, ${CLIENT_NAME} as name, null as detail, k.price::text as amount, null as leads, k.judged_at as at
    from late_leads k ${CLIENT('k.client_user_id')}
    where k.credit = 'waiting' and k.reason = 'daily_limit' order by k.begun_at, k.assignment_id`,
  late_lead: sql`
    select k.assignment_id as id, ${CLIENT_NAME} as name, k.reason as detail, k.price::text as amount, null as leads, k.judged_at as at
    from late_leads k ${CLIENT('k.client_user_id')}
    where k.credit = 'unclear' order by k.judged_at, k.assignment_id`,
}

/** Counts and lists one kind. */
export async function findNeeds(db: Db, kind: SqlKind): Promise<FoundNeeds> {
  const { rows } = await sql<FoundNeeds>`
    with found as materialized (${KINDS[kind]} limit ${NEEDS_COUNTED + 1})
    select (select count(*)::int from found) as count,
      coalesce((select jsonb_agg(one) from (select * from found limit ${NEEDS_LISTED}) one), '[]') as items`.execute(
    db,
  )
  return readRow(rows[0])
}

/** Counts the leads that are held for sale, and lists the commonest reasons why nobody bought them. */
export async function findUnsold(db: Db): Promise<FoundNeeds> {
  const { rows } = await sql<FoundNeeds>`
    with held as materialized (
      select l.created_at, coalesce(d.reason, 'not_decided') as reason
      from (select id, created_at from leads where status = 'unassigned' limit ${UNSOLD_COUNTED + 1}) l
        left join assignment_decisions d on d.lead_id = l.id
    ), found as (
      select reason as id, reason as name, null as detail, null as amount, count(*)::int as leads, min(created_at) as at
      from held group by reason order by count(*) desc, reason
    )
    select (select count(*)::int from held) as count,
      coalesce((select jsonb_agg(one) from (select * from found limit ${NEEDS_LISTED}) one), '[]') as items`.execute(
    db,
  )
  return readRow(rows[0])
}

function readRow({ count, items }: FoundNeeds = { count: 0, items: [] }): FoundNeeds {
  return {
    count,
    items: items.map((item) => ({ ...item, at: item.at === null ? null : new Date(item.at).toISOString() })),
  }
}
