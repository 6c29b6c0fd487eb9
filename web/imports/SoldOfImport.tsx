import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import type { LeadImport } from '#core/contract/imports/lead-import.ts'
import { countOf, formatCount } from '#web/format/count-of.ts'
import { formatMoney } from '#web/format/money.ts'
import { adminLeadTotalsQuery, NO_ADMIN_FILTERS } from '#web/leads/admin-lead-queries.ts'
import { adminPath } from '#web/paths.ts'

/** Leads are sold for some time after the import has ended. */
const LOOK_EVERY_MS = 3000

/** Says what became of the leads that the import's source brought in while the import ran. */
export function SoldOfImport({ known }: { known: LeadImport }) {
  const { source_id: source, started_at: from, finished_at: to } = known
  const span = { source, from: from ?? '', to: to ?? '' }
  const totals = useQuery({
    ...adminLeadTotalsQuery({ ...NO_ADMIN_FILTERS, ...span }),
    enabled: from !== null,
    refetchInterval: LOOK_EVERY_MS,
  })
  if (totals.data === undefined) return null
  const { leads, has_more: more, sold, revenue, returned } = totals.data
  const parts = [
    `${formatCount(sold)} sold for ${formatMoney(revenue)}`,
    `${formatCount(leads - sold - returned)} unsold`,
    ...(returned === 0 ? [] : [`${formatCount(returned)} returned`]),
  ]
  return (
    <p role="status" aria-label="Sold and unsold" className="text-sm tabular">
      {`Of ${countOf(leads, 'lead', more)} from this source in that time: ${parts.join(', ')}. `}
      <Link
        to={`${adminPath('leads')}?${new URLSearchParams(span)}`}
        className="text-accent-strong underline"
      >
        See these leads
      </Link>
    </p>
  )
}
