import type { LeadImport } from '#core/contract/imports/lead-import.ts'
import { formatCount } from '#web/format/count-of.ts'
import { ProgressBar } from '#web/ui/wait/ProgressBar.tsx'
import { ImportCounts } from './ImportCounts.tsx'

export function ImportProgress({ known }: { known: LeadImport }) {
  return (
    <div className="flex flex-col gap-4">
      <ProgressBar
        label="Rows taken"
        text={`${formatCount(known.taken)} of ${formatCount(known.rows)}`}
        value={known.taken}
        max={known.rows}
      />
      <ImportCounts known={known} />
      <p className="text-sm text-muted">It goes on by itself, also when this page is closed.</p>
    </div>
  )
}
