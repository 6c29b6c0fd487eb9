import { z } from 'zod'
import { askServiceForJson, ServiceError, type Question } from '../http/ask-service.ts'

/** Rows in one page of a list: with their charges they are a fraction of the longest answer that is read. */
const PAGE = 25

/** Sends a request for a path of the provider's API. */
export type AskProvider = (path: string, form?: Record<string, string>, key?: string) => Question

/**
 * Reads every row of one of the provider's lists, newest first, as the caller takes them.
 * @throws if the provider is away, breaks the list off, or sends a row of an unknown form
 */
export async function* listAll<Row extends z.ZodType<{ id: string }>>(
  ask: AskProvider,
  list: string,
  { row, query }: { row: Row; query: Record<string, string> },
): AsyncGenerator<z.infer<Row>> {
  const page = z.object({ data: z.array(row), has_more: z.boolean() })
  let after: string | undefined
  for (;;) {
    const asked = new URLSearchParams({ ...query, limit: String(PAGE) })
    if (after !== undefined) asked.set('starting_after', after)
    const { data, has_more: isMore } = page.parse(await askServiceForJson(ask(`${list}?${asked.toString()}`)))
    yield* data
    after = data.at(-1)?.id
    if (!isMore) return
    if (after === undefined) throw new ServiceError('The payment provider broke a list off')
  }
}
