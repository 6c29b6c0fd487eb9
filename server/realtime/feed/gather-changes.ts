import { listColumns, type RowTable } from '#core/contract/rows/row-tables.ts'
import type { Db } from '#core/data/database.ts'
import {
  readAttemptRecords,
  readBalanceRecords,
  readHolders,
  readLeadRecords,
  readLosers,
  readWebhookRecords,
  type FeedRecord,
} from '#core/data/realtime/read-records.ts'
import type { Written } from '#core/data/realtime/read-written.ts'
import { judgeLeadChanges, type LeadEvent } from '#core/domain/realtime/judge-lead-changes.ts'
import { maskCredentials } from '#core/domain/webhooks/mask-credentials.ts'
import { StoredDataError } from '#core/read-stored.ts'
import { openReadableHeaders } from '#core/secrets/open-credentials.ts'
import type { SecretBox } from '#core/secrets/secret-box.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import type { FeedRow, RowChange } from './feed.ts'

/** A change, and the account that is told. */
export interface ToldChange extends RowChange {
  account_id: string
  /** tells only this person, and no owner or manager */
  only?: string
}

/** A row that is new to the feed. */
export interface News extends Written {
  /** no version of it was read before */
  isFirst: boolean
}

/** Rows whose changes are not told yet, and the transactions that wrote them. */
export interface Batch {
  news: readonly News[]
  xmin: number
  ended: readonly number[]
}

export interface GatherContext {
  db: Db
  secrets: SecretBox
  logger: Pick<Logger, 'error'>
}

/** Whether anybody follows this table of the account. */
export type IsFollowed = (table: RowTable, account: string) => boolean

/** A configuration that was changed within this time after it was stored may not have been told yet. */
const NEW_MS = 50_000

/** Reads the rows that changed, as the followed accounts see them now, in the order in which they were written. */
export async function gatherChanges(
  context: GatherContext,
  batch: Batch,
  isFollowed: IsFollowed,
): Promise<ToldChange[]> {
  const { db } = context
  const of = (kind: Written['kind'], table: RowTable): News[] =>
    batch.news.filter(
      (row) => row.kind === kind && row.client_user_id !== null && isFollowed(table, row.client_user_id),
    )
  const changes = [
    await gatherLeads(db, batch, isFollowed),
    await gatherAttempts(db, of('attempt', 'webhook_delivery_logs')),
    await gatherWebhooks(context, of('webhook', 'client_webhook_configs')),
    listLosses(of('loss', 'client_webhook_configs')),
    await gatherBalances(db, of('entry', 'client_balances')),
  ].flat()
  return changes.toSorted((a, b) => compare(a.commit_timestamp, b.commit_timestamp))
}

async function gatherLeads(db: Db, batch: Batch, isFollowed: IsFollowed): Promise<ToldChange[]> {
  const isLeads = (account: string | null): boolean => account !== null && isFollowed('leads', account)
  const events = batch.news.flatMap(({ kind, subject_id: lead_id, client_user_id: account_id, ...row }) =>
    kind === 'event' && lead_id !== null ? [{ ...row, lead_id, account_id } satisfies LeadEvent] : [],
  )
  if (events.length === 0) return []
  const ids = [...new Set(events.map(({ lead_id }) => lead_id))]
  const holders = (await readHolders(db, ids)).filter(({ account_id }) => isLeads(account_id))
  const left = events.filter(({ type }) => type === 'lead.offered' || type === 'lead.returned')
  const losses =
    left.length === 0
      ? []
      : await readLosers(
          db,
          left.map(({ lead_id }) => lead_id),
          batch,
        )
  const records = holders.length === 0 ? [] : await readLeadRecords(db, holders)
  const rows = new Map(records.map((one) => [keyOf(one.account_id, readRow(one)['id']), one]))
  const views = records.map((one) => {
    const { id, user_id } = readRow(one)
    return { ...one, lead_id: String(id), is_owner: user_id === one.account_id }
  })
  return judgeLeadChanges(
    [...events].toSorted((a, b) => compare(a.written_at, b.written_at)),
    views,
    losses,
  ).flatMap(({ lead_id, account_id, type, at, only }) => {
    if (!isLeads(account_id)) return []
    const keys = { id: lead_id }
    if (type === 'DELETE') return [deleted('leads', account_id, at, keys, only)]
    const found = rows.get(keyOf(account_id, lead_id))
    return found === undefined ? [] : [changed('leads', type, at, found, keys)]
  })
}

async function gatherAttempts(db: Db, news: readonly News[]): Promise<ToldChange[]> {
  if (news.length === 0) return []
  const records = await readAttemptRecords(
    db,
    news.map(({ id, written_at }) => ({ id, created_at: written_at })),
  )
  return records.map((one) => {
    const { created_at } = readRow(one)
    return changed('webhook_delivery_logs', 'INSERT', String(created_at), one, {})
  })
}

async function gatherWebhooks(
  { db, secrets, logger }: GatherContext,
  news: readonly News[],
): Promise<ToldChange[]> {
  if (news.length === 0) return []
  const records = await readWebhookRecords(
    db,
    news.map(({ id }) => id),
  )
  return records.map((one) => {
    const { custom_headers: sealed, ...row } = readRow(one)
    const id = String(row['id'])
    const custom_headers = showHeaders(sealed, secrets)
    if (custom_headers === null)
      logger.error({ webhook_config_id: id }, 'the headers of a configuration cannot be read as stored')
    const versions = news.filter((version) => version.id === id)
    const isNew = versions.some(({ isFirst, age }) => isFirst && age < NEW_MS)
    const at = versions.at(-1)?.written_at ?? ''
    const record = { ...row, custom_headers }
    return changed('client_webhook_configs', isNew ? 'INSERT' : 'UPDATE', at, one, { id }, record)
  })
}

/** @returns null for what are no headers: it must not keep the changes of everybody else from being told */
function showHeaders(sealed: unknown, secrets: SecretBox): Record<string, string> | null {
  try {
    return maskCredentials(openReadableHeaders(sealed, secrets))
  } catch (error) {
    if (error instanceof StoredDataError) return null
    throw error
  }
}

function listLosses(news: readonly News[]): ToldChange[] {
  return news.flatMap(
    ({ type, subject_id: id, client_user_id: account, member_user_id: member, written_at }) => {
      if (account === null) return []
      const tell = (only?: string) => deleted('client_webhook_configs', account, written_at, { id }, only)
      const own = member === null ? [] : [tell(member)]
      return type === 'deleted' ? [tell(), ...own] : own
    },
  )
}

async function gatherBalances(db: Db, news: readonly News[]): Promise<ToldChange[]> {
  if (news.length === 0) return []
  const at = new Map(news.map(({ client_user_id, written_at }) => [client_user_id, written_at]))
  const records = await readBalanceRecords(
    db,
    [...at.keys()].filter((account) => account !== null),
  )
  return records.map((one) => {
    const keys = { client_user_id: one.account_id }
    return changed('client_balances', 'UPDATE', at.get(one.account_id) ?? '', one, keys)
  })
}

function changed(
  table: RowTable,
  type: 'INSERT' | 'UPDATE',
  at: string,
  found: FeedRecord,
  keys: FeedRow,
  record = readRow(found),
): ToldChange {
  const { account_id, member_user_id } = found
  const old_record = type === 'INSERT' ? null : keys
  const columns = listColumns(table)
  return { table, type, commit_timestamp: at, columns, record, old_record, member_user_id, account_id }
}

function deleted(table: RowTable, account_id: string, at: string, keys: FeedRow, only?: string): ToldChange {
  const change = { table, type: 'DELETE', commit_timestamp: at, columns: listColumns(table) } as const
  const to = only === undefined ? {} : { only }
  return { ...change, record: null, old_record: keys, member_user_id: only ?? null, account_id, ...to }
}

function readRow({ record }: FeedRecord): Record<string, unknown> {
  return JSON.parse(record) as Record<string, unknown>
}

function keyOf(account: string, id: unknown): string {
  return `${account} ${String(id)}`
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
