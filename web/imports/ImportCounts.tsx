import type { LeadImport } from '#core/contract/imports/lead-import.ts'
import { formatCount } from '#web/format/count-of.ts'

/** Counts the rows by their outcome. */
export function ImportCounts({ known }: { known: LeadImport }) {
  const counts = [
    ['Leads', known.accepted],
    ['Duplicates', known.duplicates],
    ['Refused', known.refused],
    ['Not taken', known.rows - known.taken],
  ] as const
  return (
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
      {counts.map(([label, count]) => (
        <div key={label} className="rounded-lg border border-line px-4 py-3">
          <dt className="text-xs text-muted">{label}</dt>
          <dd className="text-lg font-semibold tabular">{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  )
}
