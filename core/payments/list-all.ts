import { z } from 'zod'
import { askServiceForJson, ServiceError, type Question } from '../http/ask-service.ts'

/** Rows of one page of a list: with their charges they are a fraction of the longest answer that is read. */
const PAGE = 25

/** Builds the request to the provider for a path of its API. */
export type AskProvider = (path: string, form?: Record<string, string>, key?: string) => Question

/**
 * Every row of one of the provider's lists, newest first, read as it is taken.
 * @throws where the provider is away, breaks the list off, or a row has another form than is known
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
