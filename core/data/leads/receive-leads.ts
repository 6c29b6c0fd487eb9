import { sql } from 'kysely'
import type { LeftOut } from '#core/contract/events.ts'
import { LEAD_FIELD_NAMES } from '#core/contract/leads/lead-fields.ts'
import type { FieldError } from '#core/contract/problem.ts'
import { compileOnce } from '../compile-once.ts'
import type { Db } from '../database.ts'
import { SAYS_DAYS_ARE_NOTED } from '../market/note-days.ts'
import type { EventToEnqueue } from '../outbox/events.ts'
import { liveSource } from './sources/sources.ts'

/** A lead as ingest writes it: column names of `leads`; absent columns are null. */
export type LeadRow = Readonly<Record<string, unknown>> & {
  id: string
  /** null for a client's own test lead, which has no source */
  source_id: string | null
  /** the key under which it came; absent for an import, and for a link to a posting specification */
  source_key_id?: string | null
  /** the owner of a lead without a source; every other lead gets its source's owner */
  user_id: string | null
  external_id: string | null
  idempotency_key: string | null
  /** SHA-256 in hex, prefixed with PostgreSQL's `\x` */
  ingest_fingerprint: string | null
  /** fields that were left out of it; the response and the lead's timeline name them */
  warnings?: readonly FieldError[]
}

/** A lead that was stored just now. */
export interface NewLead {
  /** because its fields say so, or its source is in test mode */
  is_test: boolean
  /** events to enqueue, cause before effect; the `lead.created` of an offered lead goes with the offer */
  events: readonly EventToEnqueue[]
}

/**
 * The columns that a lead's own fields fill. jsonb_populate_recordset reads them by name, so one parameter carries any
 * number of leads. The statement itself sets the client, the source's name, the assignment and whether the lead is a
 * test.
 */
const ownColumns = sql.raw(
  [
    'id',
    'source_id',
    'idempotency_key',
    'ingest_fingerprint',
    ...LEAD_FIELD_NAMES.filter((name) => name !== 'is_test' && name !== 'source'),
    'phone_raw',
    'utm',
    'custom',
  ].join(', '),
)

/**
 * Stores leads of any sources in one statement. Each lead gets its `lead.created`. If its source hands leads to a
 * client, it also gets the assignment that judge_assignments decides, and `lead.assigned`; if it names no client, it
 * gets `lead.offered`. Either all of this is stored or nothing. The statement leaves out leads whose key or source was
 * revoked, leads whose client is suspended, and leads that their source sent before (same external id or idempotency
 * key), also within the batch. Every lead of a source in test mode is a test. Call nothing after it in the same
 * transaction that changes older leads or their deliveries: this statement declares that their days need not be noted.
 * @param patienceMs how long it may wait for a lock; after that it fails with 55P03, and nothing is stored. Not allowed
 * within a transaction, because it would apply to all of it
 * @returns the new leads by their ids
 */
export async function insertLeads(
  db: Db,
  leads: readonly LeadRow[],
  patienceMs?: number,
): Promise<Map<string, NewLead>> {
  // All batches use one order of unique keys, so that two batches with the same leads cannot deadlock.
  const rows = leads.toSorted(
    (a, b) => compare(keyOf(a), keyOf(b)) || compare(a.source_id ?? '', b.source_id ?? ''),
  )
  const told = await store(db, {
    patience: patienceMs === undefined ? null : `${patienceMs}ms`,
    leads: JSON.stringify(rows),
    keys: rows.map((row) => row.source_key_id ?? null),
    left_out: listLeftOut(rows),
  })
  return new Map([...Map.groupBy(told, (row) => row.lead_id)].map(([id, its]) => [id, readNew(its)]))
}

const store = compileOnce<ToldRow, Record<'patience' | 'leads' | 'keys' | 'left_out', unknown>>(
  (value) => sql`
    with posted as materialized (
      select one.*, coalesce(one.source, s.name) as named, coalesce(s.auto_assign, false) as is_handed_on,
        one.is_test or coalesce(s.test_mode, false) as is_trial,
        case when one.source_id is null then one.user_id else s.owner_user_id end as client
      from (select set_config('lock_timeout', coalesce(${value('patience')}, current_setting('lock_timeout')), true), ${SAYS_DAYS_ARE_NOTED}) settings cross join
        jsonb_populate_recordset(null::leads, ${value('leads')}::jsonb) with ordinality one
      left join lateral ${liveSource('one', sql`(${value('keys')}::uuid[])[one.ordinality]`)} s on true
      where one.source_id is null or s.id is not null
    ), judged as materialized (
      select (judge).* from (
        select array_agg(id) as ids, array_agg(client) as clients, array_agg(is_trial) as tests
        from posted where is_handed_on and (client is not null or is_trial) having count(*) > 0
      ) asked cross join lateral judge_assignments(asked.ids, asked.clients, asked.tests) judge
    ), stored as (
      insert into leads (${ownColumns}, is_test, source, user_id, status, assigned_to, assigned_at, order_id, price_charged)
      select ${ownColumns}, is_trial, named, client, coalesce(j.lead_status, 'new'), j.buyer_id,
        case when j.buyer_id is not null then now() end, j.order_id, j.price
      from posted left join judged j on j.lead_id = posted.id
      order by ordinality
      on conflict do nothing
      returning id, user_id, is_test
    ), assigned as (
      insert into lead_assignments (lead_id, client_user_id, order_id, price)
      select j.lead_id, j.buyer_id, j.order_id, j.price from judged j join stored on stored.id = j.lead_id
      where j.buyer_id is not null
      returning id, lead_id, client_user_id
    ), told as (
      insert into events (type, lead_id, client_user_id, data)
      select 'lead.created', id, user_id, coalesce(${value('left_out')}::jsonb -> id::text, '{}') from stored
      union all
      select 'lead.offered', stored.id, null, '{}' from stored join posted on posted.id = stored.id
      where is_handed_on and client is null and not is_trial
      union all
      select 'lead.assigned', lead_id, client_user_id, jsonb_build_object('assignment_id', id) from assigned
      returning id, type, lead_id, client_user_id
    )
    select told.id, told.type, told.lead_id, told.client_user_id, stored.is_test from told join stored on stored.id = told.lead_id`,
)

interface ToldRow extends EventToEnqueue {
  lead_id: string
  is_test: boolean
}

/** @param told the events of one lead */
function readNew(told: readonly ToldRow[]): NewLead {
  const find = (type: string) => told.filter((row) => row.type === type)
  const offered = find('lead.offered')
  const inOrder = [...(offered.length > 0 ? offered : find('lead.created')), ...find('lead.assigned')]
  return {
    is_test: told.some(({ is_test: isTest }) => isTest),
    events: inOrder.map(({ id, type, client_user_id }) => ({ id, type, client_user_id })),
  }
}

/** Above this number of names only their number is told: an event should stay small. */
const MOST_NAMED = 20

/** The fields that were left out of each lead, by its id; most leads have none. */
function listLeftOut(rows: readonly LeadRow[]): string {
  const cut = rows.flatMap(({ id, warnings }) =>
    warnings === undefined ? [] : [[id, tellLeftOut(warnings)]],
  )
  return JSON.stringify(Object.fromEntries(cut))
}

function tellLeftOut(warnings: readonly FieldError[]): LeftOut {
  return {
    left_out: warnings.slice(0, MOST_NAMED).map(({ path }) => path),
    left_out_more: Math.max(0, warnings.length - MOST_NAMED),
  }
}

function keyOf(lead: LeadRow): string {
  return lead.external_id ?? lead.idempotency_key ?? ''
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
