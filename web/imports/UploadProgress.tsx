import { useState } from 'react'
import type { LeadImport } from '#core/contract/imports/lead-import.ts'
import { countOf } from '#web/format/count-of.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { ProgressBar } from '#web/ui/wait/ProgressBar.tsx'
import { Spinner } from '#web/ui/wait/Spinner.tsx'
import { FileInput } from './FileInput.tsx'
import type { useUpload } from './use-upload.ts'

const MB = 1024 * 1024
const inMb = (bytes: number) => (bytes / MB).toLocaleString('en-US', { maximumFractionDigits: 1 })

/** Shows the upload, then a worker reading the file. */
export function UploadProgress({
  known,
  upload,
}: {
  known: LeadImport
  upload: ReturnType<typeof useUpload>
}) {
  const sent = upload.isBusy ? upload.sent : known.received
  const isRead = known.state === 'reading' || sent === known.size
  return (
    <div className="flex max-w-xl flex-col gap-4">
      <ProgressBar
        label="Uploaded"
        text={`${inMb(sent)} of ${inMb(known.size)} MB`}
        value={sent}
        max={known.size}
      />
      {isRead ? (
        <p role="status" className="flex items-center gap-2 text-sm text-muted">
          <Spinner />
          {known.rows === 0
            ? 'The file is being read'
            : `The file is being read: ${countOf(known.rows, 'row')}`}
        </p>
      ) : (
        !upload.isBusy && <GoOn known={known} upload={upload} />
      )}
    </div>
  )
}

/** Resumes an upload after a reload. The user chooses the file again; only the missing bytes are sent. */
function GoOn({ known, upload }: { known: LeadImport; upload: ReturnType<typeof useUpload> }) {
  const [file, setFile] = useState<File>()
  const isOther = file !== undefined && file.size !== known.size
  return (
    <>
      <Banner tone="waiting" title="The upload was interrupted">
        {upload.failure ?? `Choose ${known.file_name} again to continue where it stopped.`}
      </Banner>
      <Field label="The same file" error={isOther ? 'This file has another size' : undefined}>
        <FileInput onChoose={setFile} />
      </Field>
      <div>
        <Button
          variant="primary"
          asks
          disabled={file === undefined || isOther}
          onClick={() => {
            const { source_id, encoding, delimiter, header } = known
            if (file !== undefined)
              upload.send({ file, source_id, encoding, delimiter, header, begun: known })
          }}
        >
          Go on
        </Button>
      </div>
    </>
  )
}
