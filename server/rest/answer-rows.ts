import type { Answer } from '../http/route.ts'
import type { Wish } from './negotiate.ts'
import { notOneRow } from './rest-error.ts'

const OBJECT_TYPE = 'application/vnd.pgrst.object+json; charset=utf-8'

/** Rows as JSON texts, in the form that the request asks for. @throws RestError PGRST116 unless an object is one row */
export function answerRows(
  rows: readonly string[],
  wish: Pick<Wish, 'isObject' | 'applied'>,
  { status, range }: { status: number; range: string },
): Answer {
  const headers = rangeHeaders(wish, range)
  if (wish.isObject) {
    const [row] = rows
    if (row === undefined || rows.length !== 1) throw notOneRow(rows.length)
    return { status, text: row, type: OBJECT_TYPE, headers }
  }
  return { status, parts: ['[', ...rows.map((row, index) => (index === 0 ? row : `,${row}`)), ']'], headers }
}

/** The result of a procedure, which is one value. */
export function answerScalar(text: string, wish: Pick<Wish, 'isObject' | 'applied'>): Answer {
  const headers = rangeHeaders(wish, '0-0/*')
  return { status: 200, text, headers, ...(wish.isObject && { type: OBJECT_TYPE }) }
}

/** An answer without rows. */
export function answerNothing(
  wish: Pick<Wish, 'applied'>,
  {
    status,
    range,
    headers = {},
  }: { status: number; range: string; headers?: Readonly<Record<string, string>> },
): Answer {
  return { status, headers: { ...rangeHeaders(wish, range), ...headers } }
}

function rangeHeaders({ applied }: Pick<Wish, 'applied'>, range: string): Record<string, string> {
  return {
    'Content-Range': range,
    'Range-Unit': 'items',
    ...(applied !== undefined && { 'Preference-Applied': applied }),
  }
}

/** The header `Content-Range`. @param total undefined if nobody asked for it */
export function rangeOf(offset: number, found: number, total?: number): string {
  return `${found === 0 ? '*' : `${offset}-${offset + found - 1}`}/${total ?? '*'}`
}
