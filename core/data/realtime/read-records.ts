import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { ATTEMPT_ROW, BALANCE_COLUMNS, WEBHOOK_COLUMNS, leadColumns } from '../rows/row-columns.ts'
import { asJsonObject } from '../rows/select-rows.ts'
import { isOfAgent } from '../webhooks/logs/told-lead.ts'
import { isOneOf, isSince } from './row-version.ts'

/** A row as it is now. */
export interface FeedRecord {
  account_id: string
  /** the person of the account whose row it is; null: shared */
  member_user_id: string | null
  /** JSON text of the columns of core/contract/rows/row-tables.ts */
  record: string
}

/** A lead, and an account that may see it. */
export interface SeenLead {
  lead_id: string
  account_id: string
}

/** The accounts that see these leads now. */
export async function readHolders(db: Db, leadIds: readonly string[]): Promise<SeenLead[]> {
  const { rows } = await sql<{ id: string; assigned_to: string | null; user_id: string | null }>`
    select id, assigned_to, user_id from leads where id = any(${[...leadIds]}::uuid[])`.execute(db)
  return rows.flatMap(({ id, assigned_to, user_id }) =>
    [...new Set([assigned_to, user_id])].flatMap((account) =>
      account === null ? [] : [{ lead_id: id, account_id: account }],
    ),
  )
}

/** An assignment that ended lately. */
export interface EndedAssignment extends SeenLead {
  member_user_id: string | null
}

/**
 * The clients that lost one of these leads lately, and the persons who had it there.
 * @param since as in core/domain/realtime/commit-window.ts
 */
export async function readLosers(
  db: Db,
  leadIds: readonly string[],
  { xmin, ended }: { xmin: number; ended: readonly number[] },
): Promise<EndedAssignment[]> {
  const { rows } = await sql<EndedAssignment>`
    select a.lead_id, a.client_user_id as account_id, a.member_user_id from lead_assignments a
    where a.lead_id = any(${[...leadIds]}::uuid[]) and a.state <> 'active'
      and (${isSince('a', xmin)} or ${isOneOf('a', ended)})`.execute(db)
  return rows
}

/** Reads these leads as these accounts see them; those that an account sees no longer are left out. */
export async function readLeadRecords(db: Db, asked: readonly SeenLead[]): Promise<FeedRecord[]> {
  const columns = leadColumns({ account_id: sql.ref('asked.account_id') })
  const { rows } = await sql<FeedRecord>`
    select asked.account_id, l.member_user_id, ${asJsonObject(columns)} as record
    from unnest(${asked.map(({ account_id }) => account_id)}::uuid[], ${asked.map(({ lead_id }) => lead_id)}::uuid[])
      as asked (account_id, lead_id) join leads l on l.id = asked.lead_id
    where l.assigned_to = asked.account_id or l.user_id = asked.account_id`.execute(db)
  return rows
}

/**
 * Reads these attempts. An attempt is the person's whose lead it sent, if its webhook is shared or theirs; one of an event
 * beside the lead only if the webhook is theirs.
 * @param asked by both parts of the key, so that only the partitions are read in which they lie
 */
export async function readAttemptRecords(
  db: Db,
  asked: readonly { id: string; created_at: string }[],
): Promise<FeedRecord[]> {
  const { rows } = await sql<FeedRecord>`
    select g.client_user_id as account_id, ${asJsonObject(ATTEMPT_ROW)} as record, coalesce((
      select l.member_user_id from leads l join client_webhook_configs c on c.id = g.webhook_config_id
      where l.id = g.lead_id and coalesce(c.member_user_id, l.member_user_id) = l.member_user_id), (
      select c.member_user_id from client_webhook_configs c
      where c.id = g.webhook_config_id and g.lead_id = g.event_id and ${isOfAgent('g', sql.ref('c.member_user_id'))})) as member_user_id
    from unnest(${asked.map(({ created_at }) => created_at)}::timestamptz[], ${asked.map(({ id }) => id)}::uuid[])
      as asked (created_at, id) join webhook_delivery_logs g on g.created_at = asked.created_at and g.id = asked.id
  `.execute(db)
  return rows
}

/** Reads these configurations; values in `custom_headers` are sealed. */
export async function readWebhookRecords(db: Db, ids: readonly string[]): Promise<FeedRecord[]> {
  const { rows } = await sql<FeedRecord>`
    select c.client_user_id as account_id, c.member_user_id, ${asJsonObject(WEBHOOK_COLUMNS)} as record
    from client_webhook_configs c where c.id = any(${[...ids]}::uuid[])`.execute(db)
  return rows
}

/** Reads the balances of these accounts. */
export async function readBalanceRecords(db: Db, accounts: readonly string[]): Promise<FeedRecord[]> {
  const { rows } = await sql<FeedRecord>`
    select p.user_id as account_id, null::uuid as member_user_id, ${asJsonObject(BALANCE_COLUMNS)} as record
    from profiles p where p.user_id = any(${[...accounts]}::uuid[])`.execute(db)
  return rows
}
