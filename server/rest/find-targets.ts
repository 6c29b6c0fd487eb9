import { AppError } from '#core/errors.ts'
import { answerNothing, answerRows } from './answer-rows.ts'
import { find, listRows } from './read-rows.ts'
import { refusePaging, type RestCall } from './rest-call.ts'
import { notOneRow, RestError } from './rest-error.ts'
import type { Answer } from '../http/route.ts'

/** A write by filters changes at most this many rows. */
export const MOST_WRITTEN = 100

/** A row that a write by filters changes: texts of its columns. */
export type Target = Readonly<Record<string, string | null>>

/**
 * Finds the rows of a write by filters. Everything that can be refused is refused here, before any row is changed.
 * @param columns of each row
 * @throws RestError 21000 without a filter; PGRST116 if an object is asked for and not one row is found
 */
export async function findTargets(call: RestCall, columns: readonly string[]): Promise<Target[]> {
  refusePaging(call)
  const { query, wish } = call
  if (query.where.length === 0) {
    throw new RestError(400, '21000', 'UPDATE and DELETE require a filter', {
      hint: 'Say which rows are meant, for example with .eq("id", …).',
    })
  }
  const { rows } = await find(
    call,
    { ...query, columns, lead: undefined, order: [], limit: MOST_WRITTEN + 1, offset: 0 },
    undefined,
  )
  if (wish.isObject && rows.length !== 1) throw notOneRow(rows.length)
  const most = Math.min(wish.maxAffected ?? MOST_WRITTEN, MOST_WRITTEN)
  if (rows.length > most) {
    throw new RestError(400, 'PGRST124', 'Query result exceeds max-affected preference constraint', {
      details: `The query affects more than ${most} rows`,
      hint: `A write changes at most ${MOST_WRITTEN} rows.`,
    })
  }
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, text]) => [name, text === null ? null : (JSON.parse(text) as string)]),
    ),
  )
}

/**
 * Changes targets one after the other. One that somebody else removed meanwhile is no target any more.
 * @returns the ids of those that were changed
 */
export async function changeTargets(
  targets: readonly Target[],
  change: (id: string) => Promise<unknown>,
): Promise<string[]> {
  const changed: string[] = []
  for (const { id } of targets) {
    if (typeof id !== 'string') continue
    const isThere = await change(id).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'not_found') return false
        throw error
      },
    )
    if (isThere) changed.push(id)
  }
  return changed
}

/** The rows with these ids, as the request selects them. */
export async function showTargets(call: RestCall, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const where = [{ kind: 'in', column: 'id', values: ids }] as const
  return await listRows(call, { ...call.query, where, order: [], limit: ids.length, offset: 0 })
}

/** The answer to a change of these rows. */
export async function answerChanged(call: RestCall, ids: readonly string[]): Promise<Answer> {
  const { wish } = call
  const total = wish.count === undefined ? '*' : String(ids.length)
  const range = `${ids.length === 0 ? '*' : `0-${ids.length - 1}`}/${total}`
  if (wish.return !== 'representation') return answerNothing(wish, { status: 204, range })
  return answerRows(await showTargets(call, ids), wish, { status: 200, range })
}

/** The answer to an insert; `id` undefined if the list of rows was empty. */
export async function answerInserted(call: RestCall, id: string | undefined): Promise<Answer> {
  const { wish, table } = call
  const ids = id === undefined ? [] : [id]
  const range = `*/${wish.count === undefined ? '*' : ids.length}`
  if (wish.return === 'representation')
    return answerRows(await showTargets(call, ids), wish, { status: 201, range })
  const headers =
    wish.return === 'headers-only' && id !== undefined ? { Location: `/${table}?id=eq.${id}` } : {}
  return answerNothing(wish, { status: 201, range, headers })
}
