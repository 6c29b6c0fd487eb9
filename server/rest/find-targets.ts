import type { Db } from '#core/data/database.ts'
import type { ChosenRows } from '../http/chosen-rows.ts'
import { answerNothing, answerRows } from './answer-rows.ts'
import { find, findIn, listRows } from './read-rows.ts'
import { refusePaging, type RestCall } from './rest-call.ts'
import { notOneRow, RestError } from './rest-error.ts'
import type { Answer } from '../http/route.ts'

/** Most rows of one write. */
export const MOST_WRITTEN = 100

const ALL_OF_THEM = { lead: undefined, order: [], offset: 0 } as const

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
  const { rows } = await find(call, { ...query, ...ALL_OF_THEM, columns, limit: MOST_WRITTEN + 1 }, undefined)
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
 * The rows of a write by filters. All of them change in one transaction, so the answer is read there too. A row that
 * somebody else removed or changed meanwhile, so that the filters do not find it any more, is left out.
 * @param when whether the rows are shown as they are before the write or after it
 */
export function chooseTargets(
  call: RestCall,
  targets: readonly Target[],
  when: 'before' | 'after',
): { chosen: ChosenRows; shown: string[] } {
  const shown: string[] = []
  const { wish } = call
  const show = async (trx: Db, ids: readonly string[]): Promise<void> => {
    shown.length = 0
    if (wish.return === 'representation') shown.push(...(await showTargets(call, ids, trx)))
  }
  const confirm = async (trx: Db, locked: readonly string[]): Promise<string[]> => {
    const ids = await findStill(trx, call, locked)
    if (wish.isObject && ids.length !== 1) throw notOneRow(ids.length)
    if (when === 'before') await show(trx, ids)
    return ids
  }
  const ids = targets.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
  return { chosen: { ids, confirm, ...(when === 'after' && { show }) }, shown }
}

/** Those of the locked rows that the filters of the request still find, by ascending id. */
async function findStill(trx: Db, call: RestCall, locked: readonly string[]): Promise<string[]> {
  if (locked.length === 0) return []
  const where = [...call.query.where, { kind: 'in', column: 'id', values: locked } as const]
  const query = { ...ALL_OF_THEM, columns: ['id'], where, limit: locked.length }
  const rows = await findIn(trx, call, query)
  const still = new Set(rows.map(({ id }) => JSON.parse(id ?? 'null') as unknown))
  return locked.filter((id) => still.has(id))
}

/**
 * The rows with these ids, as the request selects them.
 * @param trx the transaction that writes them
 */
export async function showTargets(call: RestCall, ids: readonly string[], trx?: Db): Promise<string[]> {
  if (ids.length === 0) return []
  const where = [{ kind: 'in', column: 'id', values: ids }] as const
  return await listRows(call, { ...call.query, where, order: [], limit: ids.length, offset: 0 }, trx)
}

/** The answer to a change: the number of rows that changed, and the rows if they are asked for. */
export function answerChanged({ wish }: RestCall, count: number, shown: readonly string[]): Answer {
  const total = wish.count === undefined ? '*' : String(count)
  const range = `${count === 0 ? '*' : `0-${count - 1}`}/${total}`
  if (wish.return !== 'representation') return answerNothing(wish, { status: 204, range })
  return answerRows(shown, wish, { status: 200, range })
}

/** The answer to an insert of rows with these ids. */
export async function answerInserted(call: RestCall, ids: readonly string[]): Promise<Answer> {
  const { wish, table, query } = call
  const range = `*/${wish.count === undefined ? '*' : ids.length}`
  if (wish.return === 'representation') {
    // Ids ascend in the order of the rows in the body.
    const rows = await listRows(call, {
      ...query,
      where: [{ kind: 'in', column: 'id', values: ids }],
      order: [{ column: 'id', isDescending: false, nullsFirst: false }],
      limit: ids.length,
      offset: 0,
    })
    return answerRows(rows, wish, { status: 201, range })
  }
  const [id] = ids
  const isNamed = wish.return === 'headers-only' && ids.length === 1
  const headers = isNamed ? { Location: `/${table}?id=eq.${id}` } : {}
  return answerNothing(wish, { status: 201, range, headers })
}
