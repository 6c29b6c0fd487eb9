import { useQuery } from '@tanstack/react-query'
import {
  leadImportSchema,
  type ImportMapping,
  type LeadImport,
  type PreviewedRow,
} from '#core/contract/imports/lead-import.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { countOf } from '#web/format/count-of.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { Listing } from '../components/admin/Listing.tsx'
import { useChange } from '../components/admin/use-change.ts'
import { previewQuery } from './import-queries.ts'
import { nameField } from './import-words.ts'

/** Shows the leads that the first rows would become, normalised or with their errors. */
export function ImportPreview({
  known,
  mapped,
  onBack,
}: {
  known: LeadImport
  mapped: ImportMapping
  onBack: () => void
}) {
  const preview = useQuery(previewQuery(known.id, mapped))
  const start = useChange(
    () =>
      request(apiPath('admin', 'imports', known.id, 'start'), leadImportSchema, {
        method: 'POST',
        body: mapped,
      }),
    { onDone: () => undefined },
  )
  const fields = ['name', ...mapped.mapping.filter((field) => field !== '' && field !== 'name')]
  const faulty = preview.data?.rows.filter(({ lead }) => lead === null).length ?? 0
  const shown = preview.data?.rows.length ?? 0
  return (
    <div className="flex flex-col gap-4">
      {start.failure !== undefined && (
        <Banner tone="failure" urgent title="The import was not started">
          {start.failure}
        </Banner>
      )}
      <p className="text-sm">
        {`The first ${countOf(shown, 'row')}: ${shown - faulty} would become leads, ${faulty} would be refused.`}
      </p>
      {preview.data === undefined ? (
        preview.isError ? (
          <LoadFailure
            title="The preview could not be made."
            error={preview.error}
            onRetry={() => void preview.refetch()}
          />
        ) : (
          <CardSkeleton />
        )
      ) : (
        <div className="overflow-hidden rounded-lg border border-line">
          <Listing
            label="Preview"
            items={preview.data.rows}
            keyOf={({ row }) => String(row)}
            columns={[
              { header: 'Row', render: ({ row }) => `Row ${row}` },
              { header: 'Becomes', part: 'how', render: (row) => <Outcome row={row} /> },
              ...fields.map((field) => ({
                header: nameField(field),
                render: (row: PreviewedRow) => valueOf(row, field, mapped),
              })),
            ]}
          />
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={onBack}>Back to columns</Button>
        <Button
          variant="primary"
          busy={start.isBusy}
          disabled={preview.data === undefined}
          onClick={() => start.send(undefined)}
        >
          {`Import ${countOf(known.rows, 'row')}`}
        </Button>
      </div>
    </div>
  )
}

function Outcome({ row: { lead, errors, warnings = [] } }: { row: PreviewedRow }) {
  const isLead = lead !== null
  if (isLead && warnings.length === 0) return <Badge tone="success">Lead</Badge>
  return (
    <span className="flex flex-col items-end gap-1 sm:min-w-56 sm:items-start">
      <Badge tone={isLead ? 'success' : 'failure'}>{isLead ? 'Lead' : 'Refused'}</Badge>
      {[...errors, ...warnings].map(({ path, message }) => (
        <span key={path + message} className={`text-xs ${isLead ? 'text-waiting' : 'text-failure'}`}>
          {path === '' ? message : `${nameField(path)}: ${message}`}
        </span>
      ))}
    </span>
  )
}

function valueOf({ lead, cells }: PreviewedRow, field: string, { mapping }: ImportMapping) {
  const text = lead === null ? (cells[mapping.indexOf(field)] ?? '') : (lead[field] ?? '')
  return text === '' ? (
    <span className="text-faint">–</span>
  ) : (
    <span className="block max-w-64 truncate" title={text.slice(0, 500)}>
      {text.slice(0, 500)}
    </span>
  )
}
