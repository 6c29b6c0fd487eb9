import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LeadImport } from '#core/contract/imports/lead-import.ts'
import { guessMapping } from '#core/domain/imports/guess-mapping.ts'
import { countOf } from '#web/format/count-of.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { leadTypesQuery } from '../market/admin-market-queries.ts'
import { ColumnTable } from './ColumnTable.tsx'
import { ImportPreview } from './ImportPreview.tsx'
import { importRowsQuery } from './import-queries.ts'
import { DELIMITER_NAMES, ENCODING_NAMES, FIELDS } from './import-words.ts'
import { ReadAgain } from './ReadAgain.tsx'
import { sayMissing } from './say-missing.ts'
import type { useUpload } from './use-upload.ts'

/** Maps each column to a lead field, guessed from its name, and previews the first rows. */
export function MapColumns({
  known,
  upload,
  isPreviewed,
  onPreview,
}: {
  known: LeadImport
  upload: ReturnType<typeof useUpload>
  isPreviewed: boolean
  onPreview: (isPreviewed: boolean) => void
}) {
  const [mapping, setMapping] = useState(() => guessMapping(known.columns, FIELDS))
  const [leadType, setLeadType] = useState('')
  const rows = useQuery(importRowsQuery(known.id))
  const types = useQuery(leadTypesQuery)
  const hasType = mapping.includes('lead_type')
  const missing = sayMissing(mapping, hasType || leadType !== '')
  const constants: Record<string, string> = hasType || leadType === '' ? {} : { lead_type: leadType }
  if (isPreviewed)
    return <ImportPreview known={known} mapped={{ mapping, constants }} onBack={() => onPreview(false)} />
  const { encoding, delimiter, header } = known
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm">
        {`${countOf(known.rows, 'row')}, read as ${encoding === null ? 'text' : ENCODING_NAMES[encoding]}, `}
        {`cells separated by ${delimiter === null ? 'nothing' : DELIMITER_NAMES[delimiter].toLowerCase()}`}
        {header === null ? '.' : `, columns named by row ${header}.`}
      </p>
      <ReadAgain known={known} upload={upload} />
      <Field
        label="Lead type of every row"
        required={!hasType}
        className="max-w-xs"
        hint={hasType ? 'A column says it.' : 'Unless a column says it.'}
      >
        <Select
          value={hasType ? '' : leadType}
          disabled={hasType}
          onValueChange={setLeadType}
          options={[
            { value: '', label: hasType ? 'As its column says' : 'Choose a lead type' },
            ...(types.data?.data ?? []).map(({ code, label }) => ({ value: code, label })),
          ]}
        />
      </Field>
      <ColumnTable
        columns={known.columns}
        sample={rows.data?.rows[0]?.cells ?? []}
        mapping={mapping}
        onMap={(index, field) => setMapping(mapping.map((old, at) => (at === index ? field : old)))}
      />
      <p className="text-xs text-muted">
        * A lead needs a name (or its parts), a phone number or an e-mail address, and its type.
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="primary" disabled={missing !== undefined} onClick={() => onPreview(true)}>
          Preview
        </Button>
        <p role="status" className="text-sm text-muted">
          {missing}
        </p>
      </div>
    </div>
  )
}
