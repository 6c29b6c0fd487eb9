import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowLeft, Printer } from 'lucide-react'
import { useEffect } from 'react'
import { Link, useParams } from 'react-router-dom'
import { LoadFailure } from '../../components/LoadFailure.tsx'
import { PATHS } from '../../paths.ts'
import { Button } from '../../ui/action/Button.tsx'
import { Card } from '../../ui/show/Card.tsx'
import { ExactTime } from '../../ui/show/ExactTime.tsx'
import { PageHeader } from '../../ui/show/PageHeader.tsx'
import { PageSkeleton } from '../../ui/wait/PageSkeleton.tsx'
import { ownRevocationsQuery } from './revocation-queries.ts'
import { ProofFacts } from './ProofFacts.tsx'
import { Receipt } from './Receipt.tsx'

/** The account's proof: when it was told of a revocation, and when it acknowledged. It names no person. */
export function ProofPage() {
  const { id = '' } = useParams()
  const query = useInfiniteQuery(ownRevocationsQuery({ revocation_id: id }))
  const { hasNextPage, isFetching, isError, fetchNextPage } = query
  useEffect(() => {
    // A printed proof must not leave out a lead.
    if (hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, fetchNextPage])
  const rows = query.data?.pages.flatMap(({ data }) => data)
  const [first] = rows ?? []
  if (isError && (rows === undefined || hasNextPage))
    return (
      <LoadFailure
        title="The proof could not be loaded."
        error={query.error}
        onRetry={() => void (rows === undefined ? query.refetch() : fetchNextPage())}
      />
    )
  if (rows === undefined || hasNextPage) return <PageSkeleton />
  if (first === undefined) return <PageHeader title="Revocation not found" />
  return (
    <div className="flex flex-col gap-6">
      <title>Proof of a revocation · Leadwire</title>
      <Link
        to={PATHS.doNotContact}
        className="-mb-2 inline-flex min-h-8 items-center gap-1.5 self-start rounded-sm py-1 text-sm text-muted hover:text-ink print:hidden"
      >
        <ArrowLeft aria-hidden className="size-4" />
        Do not contact
      </Link>
      <PageHeader
        title="Revocation of consent"
        actions={
          <Button
            icon={<Printer aria-hidden className="size-4" />}
            onClick={() => window.print()}
            className="print:hidden"
          >
            Print
          </Button>
        }
      />
      <Card title="Revocation">
        <ProofFacts revocation={{ ...first, id: first.revocation_id }} />
      </Card>
      <Card title="Leads and receipts">
        <ul className="flex flex-col divide-y divide-line">
          {rows.map((row) => (
            <li key={row.id} className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1 py-3">
              <span className="font-mono text-xs break-all">{row.lead_id}</span>
              <span className="flex flex-col gap-1">
                <Receipt {...row} />
                {row.mailed_at !== null && (
                  <span className="text-xs text-muted">
                    Told by mail, <ExactTime at={row.mailed_at} />
                  </span>
                )}
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  )
}
