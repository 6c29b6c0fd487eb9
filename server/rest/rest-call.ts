import { PERMISSION_OF_TABLE, type RowTable } from '#core/contract/rows/row-tables.ts'
import type { RowOwner } from '#core/data/rows/row-owner.ts'
import type { RowQuery } from '#core/data/rows/row-query.ts'
import type { Call } from '../http/route.ts'
import type { Principal } from '../identity/find-live-session.ts'
import { negotiate, readRange, type Wish } from './negotiate.ts'
import { parseQuery, type QueryFields, type RestQuery } from './parse/parse-query.ts'
import { resolveQuery } from './resolve-query.ts'
import { unsupported } from './rest-error.ts'

/** One request for a table, read and checked. */
export interface RestCall {
  context: Call['context']
  /** an administrator is a client here: only the account's own rows */
  caller: Principal
  owner: RowOwner
  table: RowTable
  wish: Wish
  parsed: RestQuery
  query: RowQuery
  body: unknown
  bodyText: string
  idempotencyKey: string | undefined
}

/** The permission of each table's calls (core/contract/accounts/member-role.ts). */
export const permissionOf = (table: RowTable) => PERMISSION_OF_TABLE[table]

type Given = Call<'user', QueryFields>

/** Reads a request for rows. @throws RestError */
export function readRestCall(table: RowTable, call: Given): RestCall {
  const wish = negotiate(call.header)
  const parsed = parseQuery(call.query)
  const caller: Principal = { ...call.caller, role: 'client' }
  const asker = { account_id: caller.user_id, person_id: caller.person_id }
  return {
    context: call.context,
    caller,
    owner: { account_id: caller.user_id, member_user_id: caller.member_user_id },
    table,
    wish,
    parsed,
    query: resolveQuery(table, parsed, asker, readRange(call.header('Range'))),
    body: call.body,
    bodyText: call.bodyText,
    idempotencyKey: call.idempotencyKey,
  }
}

/** An insert names its rows by its body alone. @throws RestError */
export function refuseFilters(call: RestCall): void {
  refusePaging(call)
  if (call.query.where.length > 0) throw unsupported('Filters of an insert are')
}

/** A write takes all rows that its filters find, or none. @throws RestError */
export function refusePaging({ parsed }: RestCall): void {
  if (parsed.limit !== undefined || parsed.offset > 0) throw unsupported('Limits and offsets of a write are')
  if (parsed.order.length > 0) throw unsupported('The order of a write is')
}
