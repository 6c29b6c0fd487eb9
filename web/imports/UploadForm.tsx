import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Source } from '#core/contract/leads/source.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Disclosure } from '#web/ui/action/Disclosure.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { sourcesQuery } from '../leads/source-queries.ts'
import { FileInput } from './FileInput.tsx'
import { sayWhither } from './import-words.ts'
import { FOUND_OUT, ReadingFields, wishOf } from './ReadingFields.tsx'
import type { useUpload } from './use-upload.ts'

/** Chooses the file and the source that gets its leads. */
export function UploadForm({ upload }: { upload: ReturnType<typeof useUpload> }) {
  const sources = useQuery(sourcesQuery)
  const [sourceId, setSourceId] = useState('')
  const [file, setFile] = useState<File>()
  const [reading, setReading] = useState(FOUND_OUT)
  const [isAsked, setIsAsked] = useState(false)
  const open = sources.data?.data.filter(({ revoked_at }) => revoked_at === null)
  if (open === undefined) {
    return sources.isError ? (
      <LoadFailure
        title="The sources could not be loaded."
        error={sources.error}
        onRetry={() => void sources.refetch()}
      />
    ) : (
      <Skeleton className="h-40" />
    )
  }
  const missing = (isMissing: boolean, message: string) => (isAsked && isMissing ? message : undefined)
  return (
    <form
      noValidate
      className="flex max-w-xl flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setIsAsked(true)
        if (file === undefined || sourceId === '') return
        upload.send({ file, source_id: sourceId, ...wishOf(reading) })
      }}
    >
      {upload.failure !== undefined && (
        <Banner tone="failure" urgent title="The file was not uploaded">
          {upload.failure}
        </Banner>
      )}
      <Field
        label="Source"
        required
        hint="Every row is processed as if this source had posted it."
        error={missing(sourceId === '', 'Choose a source') ?? upload.faultOf('source_id')}
      >
        <Select
          value={sourceId}
          onValueChange={setSourceId}
          options={[
            { value: '', label: open.length === 0 ? 'There is no source yet' : 'Choose a source' },
            ...open.map((source) => ({ value: source.id, label: labelOf(source) })),
          ]}
        />
      </Field>
      <Field
        label="CSV file"
        required
        hint="One of its first rows names the columns. Up to 200 MB and 1,000,000 rows, unless set otherwise."
        error={
          missing(file === undefined, 'Choose a file') ??
          upload.faultOf('size') ??
          upload.faultOf('file_name')
        }
      >
        <FileInput onChoose={setFile} />
      </Field>
      <Disclosure title="How the file is read">
        <ReadingFields value={reading} onChange={setReading} />
      </Disclosure>
      <div>
        <Button type="submit" variant="primary" busy={upload.isBusy}>
          Upload
        </Button>
      </div>
    </form>
  )
}

function labelOf(source: Source) {
  return `${source.name} (${sayWhither(source)}${source.test_mode ? ', test mode' : ''})`
}
