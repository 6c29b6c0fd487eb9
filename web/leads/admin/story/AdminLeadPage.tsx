import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useParams, useSearchParams } from 'react-router-dom'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { isNotFound } from '#web/api/errors.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { adminPath } from '#web/paths.ts'
import { PageHeader } from '#web/ui/show/PageHeader.tsx'
import { PageSkeleton } from '#web/ui/wait/PageSkeleton.tsx'
import { leadStoryQuery } from '../../admin-lead-queries.ts'
import { leadQuery } from '../../one-lead-queries.ts'
import { LeadStoryCards } from './LeadStoryCards.tsx'

export interface AdminLeadPageProps {
  /** shows one attempt of a delivery over the page */
  renderAttempt: (id: string, close: () => void) => ReactNode
}

/**
 * One lead's whole story: its receipt, why it went where it went, its deliveries and its money. `attempt` in the query
 * opens one attempt, `delivery` the newest attempt of one delivery.
 */
export function AdminLeadPage({ renderAttempt }: AdminLeadPageProps) {
  const { id = '' } = useParams()
  const lead = useQuery(leadQuery(id))
  const story = useQuery(leadStoryQuery(id))
  const [query, setQuery] = useSearchParams()
  const showAttempt = (attempt?: string) =>
    setQuery(attempt === undefined ? {} : { attempt }, { replace: true })
  const attempt = query.get('attempt') ?? findNewest(lead.data, query.get('delivery'))
  const failed = [lead, story].find(({ isError }) => isError)
  return (
    <div className="flex flex-col gap-6">
      <title>{`${lead.data?.name ?? 'Lead'} · Administration · Leadwire`}</title>
      <Link
        to={adminPath('leads')}
        className="-mb-4 inline-flex items-center gap-1.5 self-start rounded-sm py-1 text-sm text-muted hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4" />
        Leads
      </Link>
      {lead.data !== undefined && story.data !== undefined ? (
        <LeadStoryCards lead={lead.data} story={story.data} onOpenAttempt={showAttempt} />
      ) : failed === undefined ? (
        <PageSkeleton />
      ) : isNotFound(failed.error) ? (
        <PageHeader title="Lead not found" description="No lead has this id." />
      ) : (
        <LoadFailure
          title="The lead could not be loaded."
          error={failed.error}
          onRetry={() => void failed.refetch()}
        />
      )}
      {attempt !== undefined && renderAttempt(attempt, () => showAttempt())}
    </div>
  )
}

function findNewest(lead: LeadDetail | undefined, delivery: string | null): string | undefined {
  const attempts = lead?.deliveries.filter(({ delivery_id: id }) => id === delivery) ?? []
  return attempts.toSorted((one, other) => other.attempt_number - one.attempt_number)[0]?.id
}
