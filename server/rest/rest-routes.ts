import { z } from 'zod'
import { ROW_TABLE_NAMES, type RowTable } from '#core/contract/rows/row-tables.ts'
import { route, type Answer, type Route } from '../http/route.ts'
import { callProcedure, PROCEDURE } from './assign-procedure.ts'
import type { QueryFields } from './parse/parse-query.ts'
import { readRows } from './read-rows.ts'
import { permissionOf, readRestCall, type RestCall } from './rest-call.ts'
import { notPermitted, RestError } from './rest-error.ts'
import { REST_PATH } from './rest-path.ts'
import { insertLeads, updateLeads } from './write-leads.ts'
import { deleteWebhooks, insertWebhooks, updateWebhooks } from './write-webhooks.ts'

type Method = 'get' | 'post' | 'patch' | 'delete'
type Handle = (call: RestCall) => Promise<Answer>

/** The writes that a client may make to each table. */
const WRITES: Readonly<Record<RowTable, Partial<Record<Method, Handle>>>> = {
  client_webhook_configs: { post: insertWebhooks, patch: updateWebhooks, delete: deleteWebhooks },
  leads: { post: insertLeads, patch: updateLeads },
  webhook_delivery_logs: {},
  client_balances: {},
}

/** The methods by which a client may write a table; undefined if there is no such table. */
export function listWrites(name: string): string[] | undefined {
  const table = ROW_TABLE_NAMES.find((known) => known === name)
  return table === undefined ? undefined : Object.keys(WRITES[table]).map((method) => method.toUpperCase())
}

/** The fields of a query string; server/rest/parse reads them. */
const fieldsSchema = z.custom<QueryFields>((fields) => typeof fields === 'object')

/** THE TABLE of the data API: every table with every method, and the one procedure. */
export const restRoutes: readonly Route[] = [
  ...ROW_TABLE_NAMES.flatMap((table) => [
    declare(table, 'get', readRows),
    ...(['post', 'patch', 'delete'] as const).map((method) =>
      declare(table, method, WRITES[table][method] ?? (() => Promise.reject(denied(table)))),
    ),
  ]),
  route({
    method: 'post',
    path: `${REST_PATH}/rpc/${PROCEDURE}`,
    who: 'user',
    may: 'leads',
    summary: 'Assign a lead to its buyer',
    takes: 'json',
    query: fieldsSchema,
    answers: {},
    handle: callProcedure,
  }),
  route({
    method: 'get',
    path: `${REST_PATH}/rpc/${PROCEDURE}`,
    who: 'user',
    may: 'leads',
    summary: 'Refuse to assign a lead by reading',
    answers: {},
    handle: () =>
      Promise.reject(
        new RestError(405, '25006', 'cannot execute UPDATE in a read-only transaction', {
          hint: 'Call the procedure by POST.',
        }),
      ),
  }),
]

function declare(table: RowTable, method: Method, handle: Handle): Route {
  return route({
    method,
    path: `${REST_PATH}/${table}`,
    who: 'user',
    may: permissionOf(table),
    summary: `${method} rows of ${table}`,
    ...(method === 'post' || method === 'patch' ? { takes: 'json' } : {}),
    ...(method === 'post' && { takesKey: true }),
    query: fieldsSchema,
    answers: {},
    handle: async (call) => await handle(readRestCall(table, call)),
  })
}

function denied(table: RowTable): RestError {
  return notPermitted(`permission denied for table ${table}`)
}
