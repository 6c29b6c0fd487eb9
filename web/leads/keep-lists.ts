import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { LeadSummary } from '#core/contract/leads/lead.ts'

/** A list of more pages than these is not asked for again: page after page, that would be a hundred questions. */
const FEW_PAGES = 4
const LISTS = { queryKey: ['leads', 'list'] }

type LeadPages = InfiniteData<{ data: LeadSummary[] }>

/** Shows in every list what became of these leads: a short one is asked for again, in a long one just they are changed. */
export async function refreshLists(
  queryClient: QueryClient,
  ids: readonly string[],
  change: Partial<LeadSummary>,
): Promise<void> {
  queryClient.setQueriesData<LeadPages>(LISTS, (pages) => {
    if (pages === undefined || isShort(pages)) return pages
    const rows = (data: LeadSummary[]) =>
      data.map((lead) => (ids.includes(lead.id) ? { ...lead, ...change } : lead))
    return { ...pages, pages: pages.pages.map((page) => ({ ...page, data: rows(page.data) })) }
  })
  await queryClient.invalidateQueries({
    ...LISTS,
    predicate: ({ state }) => isShort(state.data as LeadPages | undefined),
  })
}

/** Keeps of every list what it begins with, for somebody who comes back to it. */
export function shortenLists(queryClient: QueryClient): void {
  for (const { queryKey, state } of queryClient.getQueryCache().findAll(LISTS)) {
    const data = state.data as LeadPages | undefined
    if (data === undefined || isShort(data)) continue
    const few = { pages: data.pages.slice(0, FEW_PAGES), pageParams: data.pageParams.slice(0, FEW_PAGES) }
    // As old as it was: what is kept is no news.
    queryClient.setQueryData(queryKey, few, { updatedAt: state.dataUpdatedAt })
  }
}

function isShort(pages: LeadPages | undefined): boolean {
  return pages === undefined || pages.pages.length <= FEW_PAGES
}
