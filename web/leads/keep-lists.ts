import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { LeadSummary } from '#core/contract/leads/lead.ts'

/** Longer lists are not refetched, because that takes one request per page. */
const FEW_PAGES = 4
const LISTS = { queryKey: ['leads', 'list'] }

type LeadPages = InfiniteData<{ data: LeadSummary[] }>

/**
 * Shows a change of these leads in every list. Short lists are refetched; in long ones only these leads are
 * changed.
 */
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

/** Shortens long lists to their first pages, so that they are refetched when the user comes back. */
export function shortenLists(queryClient: QueryClient): void {
  for (const { queryKey, state } of queryClient.getQueryCache().findAll(LISTS)) {
    const data = state.data as LeadPages | undefined
    if (data === undefined || isShort(data)) continue
    const few = { pages: data.pages.slice(0, FEW_PAGES), pageParams: data.pageParams.slice(0, FEW_PAGES) }
    // Keeps the old time, because the kept data is not new.
    queryClient.setQueryData(queryKey, few, { updatedAt: state.dataUpdatedAt })
  }
}

function isShort(pages: LeadPages | undefined): boolean {
  return pages === undefined || pages.pages.length <= FEW_PAGES
}
