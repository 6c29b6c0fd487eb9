import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { LeadImport } from '#core/contract/imports/lead-import.ts'
import { fileLinkSchema } from '#core/contract/files/file-link.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request, requestText } from '#web/api/client.ts'
import { errorSentence } from '#web/api/errors.ts'
import { saveFile, saveLink } from '#web/components/save-file.ts'
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
        {known.has_file && <OriginalFile known={known} />}
        <Button onClick={onAnother}>Import another file</Button>
      </div>
      {(known.has_report || known.has_file) && (
        <p className="text-sm text-muted">
          {known.has_report && 'The refused rows have their original columns and the reason. '}
          What can be downloaded is kept for a few days, and the audit log records who does.
        </p>
      )}
    </div>
  )
}

/** Downloads the file as it was uploaded. */
function OriginalFile({ known }: { known: LeadImport }) {
  const take = useMutation({
    mutationFn: () =>
      request(apiPath('admin', 'imports', known.id, 'file', 'open'), fileLinkSchema, { method: 'POST' }),
    onSuccess: ({ url }) => saveLink(url, known.file_name),
    onError: (error) => toast.error(errorSentence(error)),
  })
  return (
    <Button
      icon={<Download aria-hidden className="size-4" />}
      busy={take.isPending}
      onClick={() => take.mutate()}
    >
      Download the original file
    </Button>
  )
}
