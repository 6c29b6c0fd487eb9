import { sql, type RawBuilder } from 'kysely'
import { ROW_TABLES, type ColumnOf, type RowTable } from '#core/contract/rows/row-tables.ts'
import { HIDDEN_IN_RETURNED } from '../leads/hide-returned-lead.ts'
import { isVisible } from '../leads/leads.ts'
import { hasEnded } from '../market/sale/ended-assignments.ts'
import { leadOf } from '../webhooks/logs/told-lead.ts'
import { asViewer, type RowOwner } from './row-owner.ts'

/** The SQL of each column of a table. Filters and orders use the same, so a hidden value is never found either. */
export type ColumnSql<Table extends RowTable> = Readonly<Record<ColumnOf<Table>, RawBuilder<unknown>>>

/** The account of an owner, or the SQL of a column that names it. */
interface AccountOf {
  account_id: string | RawBuilder<unknown>
}

/** The columns of a configuration `c`. Values in `custom_headers` are sealed: core/use-cases/rows/show-row.ts masks them. */
export const WEBHOOK_COLUMNS: ColumnSql<'client_webhook_configs'> = plain('client_webhook_configs', 'c')

/** The columns of an attempt `g`. */
export const ATTEMPT_ROW: ColumnSql<'webhook_delivery_logs'> = {
  ...plain('webhook_delivery_logs', 'g'),
  lead_id: leadOf('g'),
}

const NO_ATTEMPT = {
  lead_id: leadOf('d'),
  delivery_id: sql`d.id`,
  response_status: sql`null::int4`,
  processing_time_ms: sql`null::int4`,
  error_message: sql`null::text`,
  error_class: sql`null::text`,
  outcome: sql`null::text`,
  receiver_id: sql`null::text`,
}

/** The columns of a delivery `d` that waits for its first attempt: one pending row under its own id. */
export const WAITING_ROW: ColumnSql<'webhook_delivery_logs'> = {
  ...plain('webhook_delivery_logs', 'd'),
  ...NO_ATTEMPT,
  delivery_status: sql`'pending'::text`,
  attempt_number: sql`1::int4`,
}

/** The columns of a cancelled delivery `d`: one row at the time of its cancellation. */
export const CANCELLED_ROW: ColumnSql<'webhook_delivery_logs'> = {
  ...plain('webhook_delivery_logs', 'd'),
  ...NO_ATTEMPT,
  delivery_status: sql`'cancelled'::text`,
  attempt_number: sql`(d.attempt + 1)::int4`,
  created_at: sql`d.finished_at`,
}

/** The columns of a balance `p`. */
export const BALANCE_COLUMNS: ColumnSql<'client_balances'> = {
  client_user_id: sql`p.user_id`,
  balance: sql`p.balance`,
  // An entry moves the balance alone, not the time of the profile.
  updated_at: sql`coalesce((
    select e.created_at from balance_ledger e where e.client_user_id = p.user_id order by e.id desc limit 1), p.created_at)`,
}

/** The columns of a lead `l` of the owner. Of a returned lead only its existence and its outcome are shown. */
export function leadColumns(owner: AccountOf): ColumnSql<'leads'> {
  return hideIn(heldColumns(owner), sql`l.status = 'returned'`)
}

/**
 * SQL: the client of the row `r` of the log had its lead and has it no more. It is looked up once for each row, under the
 * name `had`, because most columns of the lead depend on it.
 */
export function lookUpEnd(owner: RowOwner): RawBuilder<unknown> {
  const ended = hasEnded(sql.ref('r.lead_id'), sql`${owner.account_id}::uuid`)
  return sql`lateral (select ${ended} as ended offset 0) had`
}

/**
 * The columns of the lead `l` in a row of the log, whose client may no longer have it, or may be an administrator who
 * only gets it sent. They stand beside {@link lookUpEnd}.
 */
export function embeddedLeadColumns(owner: RowOwner): ColumnSql<'leads'> {
  const columns = heldColumns(owner)
  const seen = isVisible(asViewer(owner))
  const ofHolder = ['user_id', 'assigned_to', 'member_user_id', 'assigned_at', 'updated_at'] as const
  return {
    ...hideIn(columns, sql`(l.status = 'returned' or had.ended)`),
    ...Object.fromEntries(ofHolder.map((name) => [name, sql`case when ${seen} then ${columns[name]} end`])),
    status: sql`case when had.ended then 'returned' else l.status::text end`,
  }
}

function heldColumns({ account_id }: AccountOf): ColumnSql<'leads'> {
  const ofHolder = (name: 'disposition' | 'notes') => sql`(
    select ${sql.ref(`held.${name}`)} from lead_assignments held
    where held.lead_id = l.id and held.state = 'active' and held.client_user_id = ${account_id})`
  return { ...plain('leads', 'l'), disposition: ofHolder('disposition'), notes: ofHolder('notes') }
}

function hideIn(columns: ColumnSql<'leads'>, isHidden: RawBuilder<unknown>): ColumnSql<'leads'> {
  const hidden = Object.entries(columns).filter(([name]) => Object.hasOwn(HIDDEN_IN_RETURNED, name))
  return {
    ...columns,
    ...Object.fromEntries(
      hidden.map(([name, column]) => {
        const instead = HIDDEN_IN_RETURNED[name]
        const shown = typeof instead === 'string' ? sql.lit(instead) : sql`null`
        return [name, sql`case when ${isHidden} then ${shown} else ${column} end`]
      }),
    ),
  }
}

/** The stored columns of these names. Text is compared as text, whatever the type in which it is stored. */
function plain<Table extends RowTable>(table: Table, alias: string): ColumnSql<Table> {
  const columns = Object.entries(ROW_TABLES[table]).map(([name, type]) => {
    const column = sql.ref(`${alias}.${name}`)
    return [name, type === 'text' ? sql`${column}::text` : column]
  })
  return Object.fromEntries(columns) as ColumnSql<Table>
}
