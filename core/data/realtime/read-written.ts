import { sql, type RawBuilder } from 'kysely'
import type {
  Positions,
  Reading,
  Since,
  WrittenKind,
  WrittenRow,
} from '#core/domain/realtime/commit-window.ts'
import type { Db } from '../database.ts'
import { isOneOf, isSince, xidOf } from './row-version.ts'

/** Events after which the row of a lead differs, or another client sees it. */
const CHANGES_OF_LEADS = [
  'lead.created',
  'lead.assigned',
  'lead.offered',
  'lead.unassigned',
  'lead.given',
  'lead.disposition_changed',
  'lead.notes_changed',
  'lead.returned',
  'lead.erased',
]

/** A row that was written lately, from which the feed learns what changed for whom. */
export interface Written extends WrittenRow {
  /** null for an event of a lead that belongs to no client, or to any */
  client_user_id: string | null
  /** the type of an event; whether a lost configuration was `deleted` or `given` to another person */
  type: string | null
  /** the lead of an event or an attempt, the lost configuration */
  subject_id: string | null
  /** the person who had the lead or the configuration before */
  member_user_id: string | null
  /** ISO 8601 with microseconds */
  written_at: string
  /** how long before this version the row was stored, in milliseconds; only of a configuration */
  age: number
}

interface Moment {
  snapshot: string
  at: number
  ledger: number
}

const MOMENT = sql`
  select pg_current_snapshot()::text as snapshot, extract(epoch from statement_timestamp())::float8 * 1000 as at,
    (select last_value::float8 from balance_ledger_id_seq) as ledger`

/** Reads the moment from which a feed begins. */
export async function readMoment(db: Db): Promise<Reading> {
  const { rows } =
    await sql<Moment>`select moment.snapshot, moment.at, moment.ledger from (${MOMENT}) moment`.execute(db)
  const [moment] = rows
  if (moment === undefined) throw new Error('PostgreSQL told no snapshot')
  return moment
}

/** The moment, and a row beside it or nulls. */
interface Row extends Moment {
  kind: WrittenKind | null
  id: string | null
  version: number | null
  position: number | null
  client_user_id: string | null
  type: string | null
  subject_id: string | null
  member_user_id: string | null
  written_at: string | null
  age: number | null
}

/**
 * Reads which rows were written since a moment (core/domain/realtime/commit-window.ts), with the moment of the statement.
 * Each table is read by an index in the order of time, from a position on: events and the ledger by their keys.
 * @param most limit of the rows
 */
export async function readWritten(
  db: Db,
  since: Since,
  most: number,
): Promise<{ reading: Reading; rows: Written[] }> {
  const { rows } = await sql<Row>`
    select moment.*, written.* from (${MOMENT}) moment left join lateral (
      select * from (
        select 'event' as kind, e.id::text as id, ${version('e')} as version, ${ID_MS} as position,
          e.client_user_id::text as client_user_id, e.type, e.lead_id::text as subject_id, e.data ->> 'was' as member_user_id,
          ${isoText('e.created_at')} as written_at, 0::float8 as age
        from events e where e.id >= ${firstId(since.longFrom.event)}::uuid and e.type = any(${CHANGES_OF_LEADS}::text[])
          and ${isRead('e', since, since.xmin, sql`e.id >= ${firstId(since.from.event)}::uuid`)}
        union all
        select 'attempt', g.id::text, ${version('g')}, ${ms('g.created_at')}, g.client_user_id::text, null, g.lead_id::text, null,
          ${isoText('g.created_at')}, 0
        from webhook_delivery_logs g where g.created_at >= ${moment(since.longFrom.attempt)}
          and ${isRead('g', since, since.attemptsXmin, sql`g.created_at >= ${moment(since.from.attempt)}`)}
        union all
        select 'attempt', g.id::text, ${version('g')}, ${ms('g.created_at')}, g.client_user_id::text, null, g.lead_id::text, null,
          ${isoText('g.created_at')}, 0
        from webhook_delivery_logs g
        where g.created_at >= ${moment(since.deep.from)} and g.created_at < ${moment(since.longFrom.attempt)}
          and ${isSince('g', since.deep.xmin)}
        union all
        select 'webhook', c.id::text, ${version('c')}, ${ms('c.updated_at')}, c.client_user_id::text, null, null, null,
          ${isoText('c.updated_at')}, ${ms('c.updated_at')} - ${ms('c.created_at')}
        from client_webhook_configs c where c.updated_at >= ${moment(since.longFrom.webhook)}
          and ${isRead('c', since, since.xmin, sql`c.updated_at >= ${moment(since.from.webhook)}`)}
        union all
        select 'loss', w.id::text, ${version('w')}, ${ms('w.lost_at')}, w.client_user_id::text,
          case when w.is_deleted then 'deleted' else 'given' end, w.webhook_config_id::text, w.member_user_id::text,
          ${isoText('w.lost_at')}, 0
        from lost_webhooks w where w.lost_at >= ${moment(since.longFrom.loss)}
          and ${isRead('w', since, since.xmin, sql`w.lost_at >= ${moment(since.from.loss)}`)}
        union all
        select 'entry', b.id::text, ${version('b')}, b.id::float8, b.client_user_id::text, null, null, null,
          ${isoText('b.created_at')}, 0
        from balance_ledger b where b.id >= ${entry(since.longFrom)}::bigint
          and ${isRead('b', since, since.xmin, sql`b.id >= ${entry(since.from)}::bigint`)}
      ) found
      -- This names no column, so PostgreSQL checks it first, and reads no table if nothing was committed.
      where pg_current_snapshot()::text is distinct from ${since.snapshot}::text limit ${most}
    ) written on true`.execute(db)
  const [first] = rows
  if (first === undefined) throw new Error('PostgreSQL told no snapshot')
  const { snapshot, at, ledger } = first
  return { reading: { snapshot, at, ledger }, rows: rows.flatMap(readRow) }
}

function readRow(row: Row): Written[] {
  const { kind, id, version: written, position, written_at, age, ...others } = row
  if (kind === null || id === null || written === null || position === null) return []
  if (written_at === null || age === null) return []
  const { client_user_id, type, subject_id, member_user_id } = others
  return [
    {
      kind,
      id,
      version: written,
      position,
      written_at,
      age,
      client_user_id,
      type,
      subject_id,
      member_user_id,
    },
  ]
}

function version(alias: string): RawBuilder<unknown> {
  return sql`${xidOf(alias)}::float8`
}

/** SQL: the row is in range and was written since, or by a transaction that ended late. */
function isRead(
  alias: string,
  { ended }: Since,
  xmin: number,
  isInRange: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(${isInRange} and ${isSince(alias, xmin)} or ${isOneOf(alias, ended)})`
}

/** SQL: the milliseconds at which the id of the event `e` was made (RFC 9562 version 7). */
const ID_MS = sql`
  ('x0000' || substr(e.id::text, 1, 8) || substr(e.id::text, 10, 4))::bit(64)::bigint::float8`

function ms(column: string): RawBuilder<unknown> {
  return sql`(extract(epoch from ${sql.ref(column)})::float8 * 1000)`
}

function isoText(column: string): RawBuilder<unknown> {
  return sql`to_json(${sql.ref(column)}) #>> '{}'`
}

function moment(milliseconds: number): RawBuilder<unknown> {
  return sql`${new Date(milliseconds)}::timestamptz`
}

function firstId(milliseconds: number): string {
  const time = Math.floor(milliseconds).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

function entry({ entry: id }: Positions): number {
  return Math.floor(id)
}
