import { sql, type RawBuilder } from 'kysely'
import type { AdminClientFilter, ClientState } from '#core/contract/market/admin-client.ts'
import { clientName } from '../accounts/named-client.ts'
import type { Db } from '../database.ts'
import { hasOwnAccount, isOfClient } from '../accounts/own-account.ts'
import { foldText } from '#core/contract/fold-text.ts'
import { containsPattern } from '../leads/lists/search-leads.ts'
import { POSITION_FORMAT, type PagePosition } from '../page.ts'
import { cheapestOf } from './balance.ts'
import { IS_OUT_OF_FUNDS } from './out-of-funds.ts'

/** SQL: the status of the client with account `a`, profile `p` and user `u`. */
const state = sql<ClientState>`case when u.deleted_at is not null then 'erased'
  when p.status = 'suspended' then 'suspended' else a.status end`

/**
 * Read for the page alone: each client's counts cost a look-up. Which webhooks fail is the rule of
 * core/domain/webhooks/endpoint-status.ts.
 */
const figures = (failingFrom: number) => sql`
  (${cheapestOf('a.user_id')}) as cheapest,
  exists (select from balance_ledger e where e.client_user_id = a.user_id)
    and exists (select from orders o where o.client_user_id = a.user_id) as begun,
  (select count(*)::int from client_webhook_configs w left join webhook_endpoint_health h on h.webhook_config_id = w.id
    where w.client_user_id = a.user_id and case when w.is_active
      then h.breaker = 'open' or h.failures_in_row >= ${failingFrom} or (h.failures_in_row > 0 and exists (
        select from webhook_deliveries d
        where d.webhook_config_id = w.id and d.state = 'failed' and d.finished_at >= h.failing_since))
      else w.disabled_at is not null end) as webhooks_failing,
  (select count(*)::int from orders o join auth.users e on e.id = o.client_user_id
    where o.client_user_id = a.user_id and o.deleted_at is null and o.paused_by is null and e.deleted_at is null)
    as orders_active,
  (select count(*)::int from orders o where o.client_user_id = a.user_id and o.deleted_at is null) as orders,
  (select l.assigned_at from leads l where l.assigned_to = a.user_id order by l.created_at desc, l.id desc limit 1)
    as last_lead_at`

/** A client as stored; money is decimal text, and the domain judges the funding. */
export interface StoredClient {
  user_id: string
  name: string
  display_name: string
  email: string
  business_name: string | null
  status: ClientState
  balance: string
  low_balance_threshold: string
  /** the lowest price that one of its orders may pay for a lead */
  cheapest: string | null
  /** whether the client has ever had money and an order */
  begun: boolean
  orders_active: number
  orders: number
  webhooks_failing: number
  sending_paused_at: Date | null
  sending_pause_reason: string | null
  last_lead_at: Date | null
  created_at: Date
}

/**
 * A page of clients, newest first, with one row more than `limit` if there are more.
 * @param failingFrom number of failures in a row from which a webhook counts as failing
 */
export async function listClients(
  db: Db,
  filter: AdminClientFilter,
  { limit, after }: { limit: number; after: PagePosition | undefined },
  failingFrom: number,
): Promise<Array<StoredClient & { id: string; position: string }>> {
  const conditions: RawBuilder<unknown>[] = [isOfClient, hasOwnAccount]
  if (filter.status !== undefined) conditions.push(sql`${state} = ${filter.status}`)
  if (filter.funds === 'out') conditions.push(IS_OUT_OF_FUNDS)
  if (filter.search !== undefined) {
    const pattern = containsPattern(foldText(filter.search))
    conditions.push(sql`search_text(p.name, p.email::text, a.business_name) ilike ${pattern}`)
  }
  if (after !== undefined)
    conditions.push(sql`(a.created_at, a.user_id) < (${after.at}::timestamptz, ${after.id}::uuid)`)
  const { rows } = await sql<StoredClient & { id: string; position: string }>`
    select a.user_id, a.user_id as id, p.name, ${clientName('p')} as display_name, p.email, a.business_name, a.status, p.balance, a.low_balance_threshold, ${figures(failingFrom)},
      a.sending_paused_at, a.sending_pause_reason, a.created_at, to_char(a.created_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)}) as position
    from (
      select a.user_id, a.business_name, a.low_balance_threshold, a.sending_paused_at, a.sending_pause_reason,
        ${state} as status, a.created_at
      from client_accounts a join profiles p on p.user_id = a.user_id join auth.users u on u.id = a.user_id
      where ${sql.join(conditions, sql` and `)}
      order by a.created_at desc, a.user_id desc limit ${limit + 1}
    ) a join profiles p on p.user_id = a.user_id
    order by a.created_at desc, a.user_id desc`.execute(db)
  return rows
}

interface StoredDetail extends StoredClient {
  phone: string | null
  timezone: string
  npn: string | null
  licensed_states: string[]
  auto_recharge_enabled: boolean
  webhooks_active: number
}

/** Reads one client; undefined if there is none with this id. */
export async function findClient(db: Db, id: string, failingFrom: number): Promise<StoredDetail | undefined> {
  const { rows } = await sql<StoredDetail>`
    select a.user_id, p.name, ${clientName('p')} as display_name, p.email, a.business_name, ${state} as status, p.balance, ${figures(failingFrom)}, a.created_at,
      a.sending_paused_at, a.sending_pause_reason, a.phone, a.timezone, a.npn, a.licensed_states, a.low_balance_threshold, a.auto_recharge_enabled,
      (select count(*)::int from client_webhook_configs w where w.client_user_id = a.user_id and w.is_active)
        as webhooks_active
    from client_accounts a join profiles p on p.user_id = a.user_id join auth.users u on u.id = a.user_id
    where a.user_id = ${id} and p.role = 'client'`.execute(db)
  return rows[0]
}

export interface LockedClient {
  account: 'onboarding' | 'active' | 'closed'
  state: ClientState
  /** null while sending is not paused */
  sending_pause_reason: string | null
}

/** Reads a client's status and locks it until the end of the transaction. */
export async function lockClient(trx: Db, id: string): Promise<LockedClient | undefined> {
  // The profile is locked after the account, in the order of every transaction that moves money.
  const account = await trx
    .selectFrom('client_accounts')
    .select(['status', 'sending_pause_reason'])
    .where('user_id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (account === undefined) return undefined
  const { rows } = await sql<{ state: ClientState }>`
    select ${state} as state
    from client_accounts a join profiles p on p.user_id = a.user_id join auth.users u on u.id = a.user_id
    where a.user_id = ${id} and p.role = 'client' for no key update of p`.execute(trx)
  const [row] = rows
  return (
    row && { account: account.status, state: row.state, sending_pause_reason: account.sending_pause_reason }
  )
}

/** Activates a client's account, so that the client can buy. */
export async function activateAccount(trx: Db, id: string): Promise<void> {
  await trx
    .updateTable('client_accounts')
    .set({ status: 'active', updated_at: sql<Date>`now()` })
    .where('user_id', '=', id)
    .execute()
}

/** Sets whether a user may sign in and be sold leads. */
export async function setProfileStatus(trx: Db, id: string, status: 'active' | 'suspended'): Promise<void> {
  await trx
    .updateTable('profiles')
    .set({ status, updated_at: sql<Date>`now()` })
    .where('user_id', '=', id)
    .execute()
}

/** The types of leads that a client's orders ask for now. */
export async function listWantedTypes(db: Db, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('orders')
    .select('lead_type')
    .distinct()
    .where('client_user_id', '=', id)
    .where('deleted_at', 'is', null)
    .where('paused_by', 'is', null)
    .orderBy('lead_type')
    .execute()
  return rows.map(({ lead_type: type }) => type)
}
