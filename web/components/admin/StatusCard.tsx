import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Select } from '#web/ui/form/Select.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { Listing, type ListingProps } from './Listing.tsx'
import { PagedCard } from './PagedCard.tsx'

export interface StatusCardProps<Item> extends Omit<ListingProps<Item>, 'label' | 'items'> {
  /** The heading and the name of the rows, for example "Returns". */
  title: string
  query: UseInfiniteQueryResult<InfiniteData<{ data: Item[]; next_cursor: string | null }>>
  status: string
  onStatusChange: (status: string) => void
  statuses: readonly { value: string; label: string }[]
  icon: ReactNode
  /** Shown if none of the waiting rows match, for example "No return waits for a decision". */
  nothingWaits: string
  /** Says how a row gets here. */
  hint: string
}

/** A paged list of what administrators decide, filtered by status. */
export function StatusCard<Item>(props: StatusCardProps<Item>) {
  const { title, query, status, onStatusChange, statuses, icon, nothingWaits, hint, ...listing } = props
  const name = title.toLowerCase()
  return (
    <PagedCard
      title={title}
      isTitleHidden
      failure={`The ${name} could not be loaded.`}
      query={query}
      filters={
        <Select
          aria-label="Status"
          value={status}
          onValueChange={onStatusChange}
          options={[{ value: '', label: `All ${name}` }, ...statuses]}
          className="w-auto! min-w-[min(11rem,100%)]"
        />
      }
      empty={
        <EmptyState icon={icon} title={status === 'pending' ? nothingWaits : `No ${name}`}>
          {hint}
        </EmptyState>
      }
    >
      {(items) => <Listing label={title} items={items} {...listing} />}
    </PagedCard>
  )
}
