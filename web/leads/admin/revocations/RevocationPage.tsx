import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Printer } from 'lucide-react'
import { Link, useParams } from 'react-router-dom'
import type { RevocationDetail, RevocationHolder } from '#core/contract/leads/revocation.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { isNotFound } from '#web/api/errors.ts'
import { adminItemPath, adminPath } from '#web/paths.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { ExactTime } from '#web/ui/show/ExactTime.tsx'
import { PageHeader } from '#web/ui/show/PageHeader.tsx'
import { DataTable } from '#web/ui/show/table/DataTable.tsx'
import { PageSkeleton } from '#web/ui/wait/PageSkeleton.tsx'
import { ProofFacts } from '../../revocations/ProofFacts.tsx'
import { Receipt } from '../../revocations/Receipt.tsx'
import { revocationQuery } from './admin-revocation-queries.ts'
import { nameReporter, sayReach } from './name-reporter.ts'
import { RevocationStanding } from './RevocationStanding.tsx'

/** One revocation with its holders and receipts, to be read or printed as a proof. It names no person. */
export function RevocationPage() {
  const { id = '' } = useParams()
  const revocation = useQuery(revocationQuery(id))
  if (revocation.data !== undefined) return <Sheet revocation={revocation.data} />
  if (revocation.isPending) return <PageSkeleton />
  if (isNotFound(revocation.error)) return <PageHeader title="Revocation not found" />
  return (
    <LoadFailure
      title="The revocation could not be loaded."
      error={revocation.error}
      onRetry={() => void revocation.refetch()}
    />
  )
}

function Sheet({ revocation }: { revocation: RevocationDetail }) {
  const { receipts, business_days_left: days } = revocation
  return (
    <div className="flex flex-col gap-6">
      <title>Revocation of consent · Administration · Leadwire</title>
      <Link
        to={adminPath('compliance')}
        className="-mb-2 inline-flex min-h-8 items-center gap-1.5 self-start rounded-sm py-1 text-sm text-muted hover:text-ink print:hidden"
      >
        <ArrowLeft aria-hidden className="size-4" />
        Compliance
      </Link>
      <PageHeader
        title="Revocation of consent"
        description={<RevocationStanding revocation={revocation} />}
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
        <ProofFacts revocation={{ ...revocation, reporter: nameReporter(revocation) }} />
        <p className="mt-3 text-sm text-muted">Counts for: {sayReach(revocation)}.</p>
        {revocation.decision_note !== null && (
          <p className="mt-1 text-sm break-words text-muted">Decision: {revocation.decision_note}</p>
        )}
      </Card>
      <Card title={`Holders: ${revocation.acknowledged} of ${revocation.holders} acknowledged`} flush>
        {receipts.length === 0 ? (
          <p className="px-4 py-3 text-sm text-muted">No client held a lead of this person.</p>
        ) : (
          <DataTable
            label="Holders"
            columns={[
              { header: 'Client', part: 'who', className: 'font-medium', render: nameClient },
              { header: 'Lead', part: 'figure', render: linkLead },
              { header: 'Told', part: 'when', render: (holder) => <Told holder={holder} /> },
              {
                header: 'Receipt',
                part: 'how',
                render: (holder) => <Receipt {...holder} business_days_left={days} />,
              },
            ]}
            items={receipts}
            keyOf={({ id }) => id}
          />
        )}
      </Card>
    </div>
  )
}

const LINK = '-my-1 inline-flex min-h-6 items-center rounded-sm hover:underline'

function nameClient({ client, is_holding: isHolding }: RevocationHolder) {
  return (
    <span className="flex flex-col py-1">
      <Link to={adminItemPath('clients', client.user_id)} className={LINK}>
        {client.name}
      </Link>
      <span className="text-xs font-normal text-muted">{isHolding ? 'Holds the lead' : 'Held the lead'}</span>
    </span>
  )
}

function linkLead({ lead_id: id }: RevocationHolder) {
  return (
    <Link to={adminItemPath('leads', id)} className={`${LINK} font-mono text-xs`}>
      <span className="print:hidden">{id.slice(-8)}</span>
      <span className="hidden break-all print:inline">{id}</span>
    </Link>
  )
}

function Told({ holder: { is_sent: isSent, mailed_at: at } }: { holder: RevocationHolder }) {
  return (
    <span className="flex flex-col">
      {isSent && <span>By webhook</span>}
      {at !== null && (
        <span>
          By mail, <ExactTime at={at} />
        </span>
      )}
      {!isSent && at === null && <span className="text-muted">On its screens</span>}
    </span>
  )
}
