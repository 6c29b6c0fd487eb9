import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { CancelImport } from './CancelImport.tsx'
import { ImportProgress } from './ImportProgress.tsx'
import { ImportReport } from './ImportReport.tsx'
import { ImportSteps } from './ImportSteps.tsx'
import { importQuery } from './import-queries.ts'
import { stepOf } from './import-words.ts'
import { MapColumns } from './MapColumns.tsx'
import { UploadForm } from './UploadForm.tsx'
import { UploadProgress } from './UploadProgress.tsx'
import { useUpload } from './use-upload.ts'

/**
 * Leads one import from file to report. The file is kept while the page is open, because it may have to be
 * read again.
 */
export function ImportFlow({ id, onOpen }: { id: string; onOpen: (id: string | null) => void }) {
  const isNew = id === 'new'
  const upload = useUpload(onOpen)
  const found = useQuery({ ...importQuery(id), enabled: !isNew })
  const [isPreviewed, setIsPreviewed] = useState(false)
  const { data: known } = found
  const step = isNew || known === undefined ? 0 : stepOf(known)
  const hasEnded = step === 4
  return (
    <Card
      title="Import leads"
      actions={
        <span className="flex gap-2">
          {known !== undefined && !hasEnded && <CancelImport id={known.id} isRunning={step === 3} />}
          <Button
            size="sm"
            variant="quiet"
            icon={<ArrowLeft aria-hidden className="size-4" />}
            onClick={() => onOpen(null)}
          >
            All imports
          </Button>
        </span>
      }
    >
      <div className="flex flex-col gap-6">
        <ImportSteps at={step === 1 && isPreviewed ? 2 : step} />
        {known !== undefined && (
          <p className="text-sm break-words">
            <span className="font-medium">{known.file_name}</span>
            <span className="text-muted">{` into ${known.source_name}`}</span>
          </p>
        )}
        {isNew ? (
          <UploadForm upload={upload} />
        ) : known === undefined ? (
          found.isError ? (
            <LoadFailure
              title="The import could not be loaded."
              error={found.error}
              onRetry={() => void found.refetch()}
            />
          ) : (
            <CardSkeleton />
          )
        ) : known.state === 'uploading' || known.state === 'reading' ? (
          <UploadProgress known={known} upload={upload} />
        ) : known.state === 'ready' ? (
          <MapColumns
            key={known.id}
            known={known}
            upload={upload}
            isPreviewed={isPreviewed}
            onPreview={setIsPreviewed}
          />
        ) : known.state === 'running' ? (
          <ImportProgress known={known} />
        ) : (
          <ImportReport
            known={known}
            onAnother={() => {
              setIsPreviewed(false)
              onOpen('new')
            }}
          />
        )}
      </div>
    </Card>
  )
}
