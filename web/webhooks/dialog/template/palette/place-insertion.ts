import { readPlaceholder } from '#core/domain/webhooks/template/formats/read-placeholder.ts'
import { writePlaceholder } from './write-placeholder.ts'

/** A change of a text; offsets count UTF-16 units. */
export interface Insertion {
  from: number
  to: number
  insert: string
}

const PLACEHOLDER = /\{\{(?!\{)([^{}"\\\n]*)\}\}/g

/**
 * Returns where and how the palette's `inner` (`name`, `name | format`) is inserted. A format joins the
 * placeholder at the caret if it fits its value. Nothing is ever inserted into the middle of a placeholder.
 * @param from start of the selection, which ends at `to`
 */
export function placeInsertion(
  text: string,
  { from, to }: { from: number; to: number },
  inner: string,
): Insertion {
  const here = [...text.matchAll(PLACEHOLDER)].find(
    ({ index, 0: whole }) => index < to && from <= index + whole.length,
  )
  if (here === undefined || from !== to)
    return { from, to, insert: writePlaceholder(text.slice(0, from), inner) }
  const end = here.index + here[0].length
  const own = (here[1] ?? '').trimEnd()
  const bar = inner.indexOf('|')
  const joined = `${own} ${inner.slice(bar)}`
  if (bar !== -1 && readPlaceholder(joined).name !== null)
    return { from: here.index, to: end, insert: `{{${joined}}}` }
  return { from: end, to: end, insert: writePlaceholder(text.slice(0, end), inner) }
}
