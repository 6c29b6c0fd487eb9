import { useQuery, useQueryClient } from '@tanstack/react-query'
import clsx from 'clsx'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import type { LeadSummary } from '#core/contract/leads/lead.ts'
import { ME_KEY } from '#web/api/me-key.ts'
import { DeliveryBadge } from '#web/components/DeliveryBadge.tsx'
import { DoNotContact, isMarked } from '#web/components/DoNotContact.tsx'
import { LeadName } from '#web/components/LeadName.tsx'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { NoLeadsYet } from '#web/components/NoLeadsYet.tsx'
import { words } from '#web/format/words.ts'
import { newestLeadsQuery } from '#web/leads/lead-queries.ts'
import { leadPath, PATHS } from '#web/paths.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { Waiting } from '#web/ui/wait/Waiting.tsx'
import { dashboardQuery } from '../market-queries.ts'

const FIVE = [1, 2, 3, 4, 5]

/** Shows the five newest leads and announces new ones as they arrive. */
export function NewestLeads() {
  const leads = useQuery(newestLeadsQuery)
  const news = useNews(leads.data)
  if (leads.isError && leads.data === undefined) {
    return (
      <LoadFailure
        title="The newest leads could not be loaded."
        error={leads.error}
        onRetry={() => void leads.refetch()}
      />
    )
  }
  return (
    <Card
      title="Newest leads"
      flush
      actions={
        <Link to={PATHS.leads} className="rounded-sm py-0.5 text-sm text-accent-strong hover:underline">
          All leads
        </Link>
      }
    >
      <p role="status" className="sr-only">
        {news}
      </p>
      {leads.data === undefined ? (
        <Waiting label="Loading the newest leads" className="flex flex-col gap-4 p-4">
          {FIVE.map((row) => (
            <Skeleton key={row} className="h-9 w-full" />
          ))}
        </Waiting>
      ) : leads.data.length === 0 ? (
        <NoLeadsYet />
      ) : (
        <ul aria-label="Newest leads" className="divide-y divide-line">
          {leads.data.map((lead) => (
            <LeadLine key={lead.id} lead={lead} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function LeadLine({ lead }: { lead: LeadSummary }) {
  return (
    <li className="flex min-h-9 items-center gap-x-3 px-4 py-1 text-sm hover:bg-hover tight:flex-wrap">
      <span aria-hidden className={clsx('size-1.5 shrink-0 rounded-full', lead.unread && 'bg-accent')} />
      {/* In a narrow card the state is below the name, because a name needs the width. */}
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 tight:basis-full">
        <div className="flex min-w-0 flex-1 basis-40 items-center gap-2">
          <LeadName lead={lead} to={leadPath(lead.id)} />
        </div>
        {/* In place of the state and the type, because beside the name there is no room on a phone. */}
        <p className="basis-44 truncate text-xs text-muted">
          {isMarked(lead) ? (
            <DoNotContact lead={lead} />
          ) : (
            [lead.state, words(lead.lead_type)].filter(Boolean).join(' · ')
          )}
        </p>
      </div>
      <span className="flex shrink-0 justify-end sm:w-24">
        <DeliveryBadge counts={lead.delivery_counts} />
      </span>
      <RelativeTime
        at={lead.created_at}
        className="min-w-16 shrink-0 text-right text-xs text-muted sm:w-18"
      />
    </li>
  )
}

/** Returns a sentence for screen readers about a new lead, and refreshes the numbers that count it. */
function useNews(leads: readonly LeadSummary[] | undefined) {
  const queryClient = useQueryClient()
  const known = useRef<string | undefined>(undefined)
  const [news, setNews] = useState('')
  const newest = leads?.[0]
  useEffect(() => {
    if (leads === undefined) return
    const before = known.current
    known.current = newest?.id ?? ''
    if (before === undefined || newest === undefined || before === newest.id) return
    setNews(`New lead: ${newest.name ?? 'Unknown'}`)
    void queryClient.invalidateQueries({ queryKey: dashboardQuery.queryKey })
    void queryClient.invalidateQueries({ queryKey: ME_KEY })
  }, [leads, newest, queryClient])
  return news
}
