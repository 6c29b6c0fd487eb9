import { sql, type RawBuilder } from 'kysely'
import type {
  OwnRevocation,
  Revocation,
  RevocationFilter,
  RevocationHolder,
} from '#core/contract/leads/revocation.ts'
import { namedClient } from '../../accounts/named-client.ts'
import type { Db } from '../../database.ts'
import { POSITION_FORMAT, type PagePosition } from '../../page.ts'
import { HAS_WEBHOOK, IS_OPEN } from './receipts.ts'

type StoredRevocation = Omit<Revocation, 'business_days_left'> & { position: string }
type StoredOwn = Omit<OwnRevocation, 'business_days_left'> & { position: string }

const iso = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const position = (alias: string) =>
  sql`to_char(${sql.ref(`${alias}.created_at`)} at time zone 'utc', ${sql.lit(POSITION_FORMAT)}) as position`

/** SQL: the receipt of the holder `h`. */
const RECEIPT = sql`${HAS_WEBHOOK} or exists (select from webhook_deliveries d where d.event_id = h.event_id) as is_sent,
  ${iso('h.mailed_at')} as mailed_at, ${iso('h.acknowledged_at')} as acknowledged_at, h.acknowledged_by, h.webhook_name`

/** Revocations for administrators, newest first, with one row more than `limit` if there are more. */
export async function listRevocations(
  db: Db,
  filter: RevocationFilter & { id?: string },
  { limit, after }: { limit: number; after: PagePosition | undefined },
): Promise<StoredRevocation[]> {
  const { rows } = await sql<StoredRevocation>`
    select r.id, r.reported_by, r.reach, r.status, r.proof, r.reason, r.decision_note,
      ${iso('r.decided_at')} as decided_at, ${iso('r.created_at')} as created_at, ${iso('r.revoked_at')} as revoked_at,
      to_char(r.due_on, 'YYYY-MM-DD') as due_on, cardinality(r.lead_ids) as leads, ${position('r')},
      (select jsonb_build_object('id', s.id, 'name', s.name) from sources s where s.id = r.source_id) as source,
      ${namedClient(sql`r.client_user_id`)} as client, told.holders, told.acknowledged, told.is_overdue
    from revocations r cross join lateral (
      select count(*)::int as holders, count(h.acknowledged_at)::int as acknowledged,
        coalesce(bool_or(${IS_OPEN}), false) as is_open, coalesce(bool_or(${IS_OPEN} and h.due_at <= now()), false) as is_overdue
      from revocation_holders h where h.revocation_id = r.id) told
    where ${filter.id === undefined ? sql`true` : sql`r.id = ${filter.id}`}
      and ${filter.status === undefined ? sql`true` : sql`r.status = ${filter.status}`}
      and ${isOpen(filter.open)}
      and ${after === undefined ? sql`true` : sql`(r.created_at, r.id) < (${after.at}::timestamptz, ${after.id}::uuid)`}
    order by r.created_at desc, r.id desc limit ${limit + 1}`.execute(db)
  return rows
}

function isOpen(open: RevocationFilter['open']): RawBuilder<unknown> {
  if (open === undefined) return sql`true`
  return open === 'any' ? sql`told.is_open` : sql`told.is_overdue`
}

/** Limit of holders that are shown of one revocation. */
const MOST_HOLDERS = 500

/** The holders of a revocation: those who have not acknowledged first. */
export async function listHolders(db: Db, revocationId: string): Promise<RevocationHolder[]> {
  const { rows } = await sql<RevocationHolder>`
    select h.id, h.lead_id, ${namedClient(sql`h.client_user_id`)} as client,
      exists (select from leads l where l.id = h.lead_id and (l.assigned_to = h.client_user_id or l.user_id = h.client_user_id))
        as is_holding, ${RECEIPT}
    from revocation_holders h where h.revocation_id = ${revocationId}
    order by h.acknowledged_at is not null, h.created_at, h.id limit ${MOST_HOLDERS}`.execute(db)
  return rows
}

/** The client that looks, and for an agent the person whose leads count. */
export interface OwnRevocationsOf {
  /** null: nobody, so nothing is found */
  user_id: string | null
  member_user_id?: string | undefined
}

/**
 * Lists the revocations that a client was told of: one row for each of its leads, newest first, with one row more than
 * `limit` if there are more.
 * @param filter.revocation_id only this revocation's
 */
export async function listOwnRevocations(
  db: Db,
  { user_id: client, member_user_id: member }: OwnRevocationsOf,
  filter: { revocation_id?: string; lead_id?: string; isOpen?: boolean },
  { limit, after }: { limit: number; after: PagePosition | undefined },
): Promise<StoredOwn[]> {
  const { rows } = await sql<StoredOwn>`
    select h.id, h.revocation_id, h.lead_id, l.lead_type,
      case when l.assigned_to = ${client} and l.status <> 'returned' or l.user_id = ${client} then l.name end as lead_name,
      r.reported_by, ${iso('r.revoked_at')} as revoked_at, to_char(r.due_on, 'YYYY-MM-DD') as due_on, ${RECEIPT}, ${position('h')}
    from revocation_holders h join revocations r on r.id = h.revocation_id left join leads l on l.id = h.lead_id
    where h.client_user_id = ${client} and ${member === undefined ? sql`true` : sql`h.member_user_id = ${member}`}
      and ${filter.revocation_id === undefined ? sql`true` : sql`h.revocation_id = ${filter.revocation_id}`}
      and ${filter.lead_id === undefined ? sql`true` : sql`h.lead_id = ${filter.lead_id}`}
      and ${filter.isOpen === true ? sql`h.acknowledged_at is null` : sql`true`}
      and ${after === undefined ? sql`true` : sql`(h.created_at, h.id) < (${after.at}::timestamptz, ${after.id}::uuid)`}
    order by h.created_at desc, h.id desc limit ${limit + 1}`.execute(db)
  return rows
}
