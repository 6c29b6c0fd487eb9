import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { leadRecallSchema } from '#core/contract/leads/lead-recall.ts'
import type { Source } from '#core/contract/leads/source.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'
import { countOf } from '#web/format/count-of.ts'
import { formatMoney } from '#web/format/money.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { recallPreviewQuery } from '../../recall-queries.ts'

const DAY_MS = 24 * 3600 * 1000

/** `2026-11-29T14:05`, in the browser's zone. */
function localText(at: Date) {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Takes back the sold leads of a source that came in a time, after showing how many and for how much. */
export function RecallDialog({ source, onClose }: { source: Source; onClose: () => void }) {
  const [from, setFrom] = useState(() => localText(new Date(Date.now() - DAY_MS)))
  const [to, setTo] = useState(() => localText(new Date(Date.now() + 60_000)))
  const reason = useReason()
  const [begin, end] = [new Date(from), new Date(to)]
  const isRange = begin < end
  const range = {
    source: source.id,
    from: isRange ? begin.toISOString() : '',
    to: isRange ? end.toISOString() : '',
  }
  const preview = useQuery({ ...recallPreviewQuery(range), enabled: isRange })
  const change = useChange(
    () =>
      request(apiPath('admin', 'lead-recalls'), leadRecallSchema, {
        method: 'POST',
        body: { source_id: source.id, from: range.from, to: range.to, reason: reason.text },
      }),
    { done: ({ leads }) => `${countOf(leads, 'lead')} are being recalled`, onDone: onClose },
  )
  const found = preview.data
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={`Recall leads of ${source.name}`}
      description="Each sold lead is returned with its credit, and its client no longer sees whose lead it was. Each client gets one mail."
      submit={found === undefined ? 'Recall' : `Recall ${countOf(found.leads, 'lead')}`}
      danger
      dirty={reason.text !== ''}
      isBusy={change.isBusy}
      canSubmit={found !== undefined && found.leads > 0}
      failure={change.failure}
      onSubmit={() => reason.askFor(() => change.send(undefined))}
    >
      <Field label="Came from" required error={change.faultOf('from')}>
        <TextInput type="datetime-local" value={from} onChange={({ target }) => setFrom(target.value)} />
      </Field>
      <Field
        label="Came before"
        required
        error={isRange ? change.faultOf('to') : 'Must be after the beginning'}
      >
        <TextInput type="datetime-local" value={to} onChange={({ target }) => setTo(target.value)} />
      </Field>
      <p role="status" className="text-sm">
        {preview.isLoading && 'Counting the leads…'}
        {found !== undefined &&
          (found.leads === 0
            ? 'No sold lead of this source came in that time.'
            : `${countOf(found.leads, 'lead')} of ${countOf(found.clients, 'client')}: ${formatMoney(found.amount)} go back.`)}
      </p>
      {found === undefined && preview.isError && (
        <LoadFailure
          title="The leads could not be counted."
          error={preview.error}
          onRetry={() => void preview.refetch()}
        />
      )}
      <ReasonField reason={reason} fault={change.faultOf('reason')} />
    </ChangeDialog>
  )
}
