import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LeadImport } from '#core/contract/imports/lead-import.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Disclosure } from '#web/ui/action/Disclosure.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { importRowsQuery } from './import-queries.ts'
import { ENCODING_NAMES } from './import-words.ts'
import { ReadingFields, wishOf, type Reading } from './ReadingFields.tsx'
import type { useUpload } from './use-upload.ts'

/** Sends the file again, to be read with other settings. The earlier import is cancelled. */
export function ReadAgain({ known, upload }: { known: LeadImport; upload: ReturnType<typeof useUpload> }) {
  const [reading, setReading] = useState<Reading>({
    encoding: known.encoding ?? '',
    delimiter: known.delimiter ?? '',
    header: known.header === null ? '' : String(known.header),
  })
  const rows = useQuery(importRowsQuery(known.id))
  const { file } = upload
  const { suggested_encoding: suggested } = known
  const send = (wanted: Reading) => {
    if (file === undefined) return
    upload.send({ file, source_id: known.source_id, ...wishOf(wanted), instead: known.id })
  }
  return (
    <>
      {suggested !== null && (
        <Banner
          tone="info"
          title={`The letters look like ${ENCODING_NAMES[suggested]}`}
          action={
            file !== undefined && (
              <Button
                size="sm"
                busy={upload.isBusy}
                onClick={() => send({ ...reading, encoding: suggested })}
              >{`Read as ${ENCODING_NAMES[suggested]}`}</Button>
            )
          }
        >
          Compare names with accents in the rows below.
        </Banner>
      )}
      <Disclosure title="Letters or columns look wrong?">
        <div className="flex max-w-xl flex-col gap-4 pb-2">
          <ReadingFields value={reading} head={rows.data?.head} onChange={setReading} />
          {file === undefined ? (
            <p className="text-sm text-muted">
              To read it otherwise, cancel this import and choose the file again.
            </p>
          ) : (
            <div>
              <Button busy={upload.isBusy} onClick={() => send(reading)}>
                Read again
              </Button>
            </div>
          )}
        </div>
      </Disclosure>
    </>
  )
}
