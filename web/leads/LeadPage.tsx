import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useEffect } from 'react'
import { Link, useLocation, useParams } from 'react-router-dom'
import { isNotFound } from '../api/errors.ts'
import { LeadNeighbours } from './lead-page/LeadNeighbours.tsx'
import { refreshLists } from './keep-lists.ts'
import { leadQuery } from './one-lead-queries.ts'
import { meQuery } from '../api/me.ts'
import { LoadFailure } from '../components/LoadFailure.tsx'
import { PATHS } from '../paths.ts'
import { PageHeader } from '../ui/show/PageHeader.tsx'
import { PageSkeleton } from '../ui/wait/PageSkeleton.tsx'
import { LeadDetails } from './lead-page/LeadDetails.tsx'

export function LeadPage() {
  const { id = '' } = useParams()
  const { search } = useLocation()
  const lead = useQuery(leadQuery(id))
  useRefreshAfterViewing(lead.data?.id)

  return (
    <div className="flex flex-col gap-6">
      <title>{`${lead.data?.name ?? 'Lead'} · Leadwire`}</title>
      <div className="-mb-2 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2 print:hidden">
        <Link
          to={{ pathname: PATHS.leads, search }}
          className="inline-flex items-center gap-1.5 rounded-sm py-1 text-sm text-muted hover:text-ink"
        >
          <ArrowLeft aria-hidden className="size-4" />
          Leads
        </Link>
        {lead.data !== undefined && <LeadNeighbours id={id} />}
      </div>
      {lead.data !== undefined ? (
        <LeadDetails lead={lead.data} />
      ) : lead.isPending ? (
        <PageSkeleton />
      ) : isNotFound(lead.error) ? (
        <LeadNotFound />
      ) : (
        <LoadFailure
          title="The lead could not be loaded."
          error={lead.error}
          onRetry={() => void lead.refetch()}
        />
      )}
    </div>
  )
}

/** Opening a lead marks it as viewed on the server, so the unread count and the list must be refreshed. */
function useRefreshAfterViewing(id: string | undefined) {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (id === undefined) return
    void queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
    void refreshLists(queryClient, [id], { unread: false })
  }, [id, queryClient])
}

function LeadNotFound() {
  return (
    <PageHeader
      title="Lead not found"
      description="It may have been assigned to someone else, or the address is mistyped."
    />
  )
}
