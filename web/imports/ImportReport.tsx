import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { LeadImport } from '#core/contract/imports/lead-import.ts'
import { apiPath } from '#web/api/api-path.ts'
import { requestText } from '#web/api/client.ts'
import { saveFile } from '#web/components/save-file.ts'
import { countOf } from '#web/format/count-of.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { ImportCounts } from './ImportCounts.tsx'
import { SoldOfImport } from './SoldOfImport.tsx'

/** Shows the result of an import, and the rows that became no lead, to be corrected and imported again. */
export function ImportReport({ known, onAnother }: { known: LeadImport; onAnother: () => void }) {
  const take = useMutation({
    mutationFn: () => requestText(apiPath('admin', 'imports', known.id, 'refused.csv')),
    onSuccess: (text) => saveFile(`refused ${known.file_name.replace(/\.\w+$/, '')}.csv`, text),
    onError: () => toast.error('The report could not be loaded'),
  })
  const left = known.duplicates + known.refused
  return (
    <div className="flex flex-col gap-4">
      {known.state === 'finished' ? (
        <Banner tone="success" title={`${countOf(known.accepted, 'lead')} imported`}>
          {left === 0 ? 'Every row became a lead.' : `${countOf(left, 'row')} became no new lead.`}
        </Banner>
      ) : known.state === 'cancelled' ? (
        <Banner tone="neutral" title="The import was cancelled">
          {`${countOf(known.accepted, 'row')} had become leads by then, and stay leads.`}
        </Banner>
      ) : (
        <Banner tone="failure" title="The import failed">
          {known.failure?.sentence}
        </Banner>
      )}
      {known.rows > 0 && <ImportCounts known={known} />}
      {known.accepted > 0 && known.owner_user_id === null && <SoldOfImport known={known} />}
      <div className="flex flex-wrap gap-2">
        {known.has_report && (
          <Button
            icon={<Download aria-hidden className="size-4" />}
            busy={take.isPending}
            onClick={() => take.mutate()}
          >
            Download refused rows
          </Button>
        )}
        <Button onClick={onAnother}>Import another file</Button>
      </div>
      {known.has_report && (
        <p className="text-sm text-muted">
          The file has the original columns and the reason. It is kept for a few days.
        </p>
      )}
    </div>
  )
}
