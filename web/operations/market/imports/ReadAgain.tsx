import { useState } from 'react'
import type { LeadImport } from '#core/contract/leads/lead-import.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Disclosure } from '#web/ui/action/Disclosure.tsx'
import { ReadingFields, type Reading } from './ReadingFields.tsx'
import type { useUpload } from './use-upload.ts'

/** Sends the file once more, to be read otherwise. What was read of it before is cancelled. */
export function ReadAgain({ known, upload }: { known: LeadImport; upload: ReturnType<typeof useUpload> }) {
  const [reading, setReading] = useState<Reading>({
    encoding: known.encoding ?? '',
    delimiter: known.delimiter ?? '',
  })
  const { file } = upload
  return (
    <Disclosure title="Letters or columns look wrong?">
      <div className="flex max-w-xl flex-col gap-4 pb-2">
        <ReadingFields value={reading} onChange={setReading} />
        {file === undefined ? (
          <p className="text-sm text-muted">
            To read it otherwise, cancel this import and choose the file again.
          </p>
        ) : (
          <div>
            <Button
              busy={upload.isBusy}
              onClick={() => {
                const { encoding, delimiter } = reading
                upload.send({
                  file,
                  source_id: known.source_id,
                  encoding: encoding === '' ? null : encoding,
                  delimiter: delimiter === '' ? null : delimiter,
                  instead: known.id,
                })
              }}
            >
              Read again
            </Button>
          </div>
        )}
      </div>
    </Disclosure>
  )
}
