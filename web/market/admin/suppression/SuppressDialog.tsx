import { useState } from 'react'
import {
  SUPPRESSION_REASONS,
  suppressionsAddedSchema,
  type SuppressionReason,
  type SuppressionsAdded,
} from '#core/contract/market/suppression.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { countOf } from '#web/format/count-of.ts'
import { words } from '#web/format/words.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { TextArea } from '#web/ui/form/TextArea.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { useChange } from '#web/components/admin/use-change.ts'

const REASONS = SUPPRESSION_REASONS.map((value) => ({ value, label: words(value) }))

/** Adds a pasted list. Refused lines stay in the field, to be corrected. */
export function SuppressDialog({ onClose }: { onClose: () => void }) {
  const [contacts, setContacts] = useState('')
  const [reason, setReason] = useState<SuppressionReason>('opted_out')
  const [note, setNote] = useState('')
  const [refused, setRefused] = useState<SuppressionsAdded>()
  const change = useChange(
    () =>
      request(apiPath('admin', 'suppressions'), suppressionsAddedSchema, {
        method: 'POST',
        body: { contacts, reason, note },
      }),
    {
      done: ({ added, known }) =>
        `${countOf(added, 'entry')} added${known === 0 ? '' : `, ${known.toLocaleString('en-US')} known before`}`,
      onDone: (answer) => {
        if (answer.refused_count === 0) onClose()
        else setRefused(answer)
      },
    },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title="Suppress phones and emails"
      description="People on the list are never sold. Only keyed hashes are stored."
      submit="Suppress"
      dirty={contacts !== '' && refused === undefined}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => change.send(undefined)}
    >
      {refused !== undefined && (
        <Banner
          tone="waiting"
          urgent
          title={`${countOf(refused.refused_count, 'line')} not understood; the others are on the list`}
        >
          <ul className="max-h-32 list-inside overflow-y-auto" tabIndex={0} aria-label="Lines not understood">
            {[...new Set(refused.refused.map(tellLine))].map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Banner>
      )}
      <Field
        label="Phones and emails"
        required
        hint="One a line, at most 10,000 at a time."
        error={change.faultOf('contacts')}
      >
        <TextArea
          mono
          rows={8}
          value={contacts}
          onChange={(event) => {
            setContacts(event.target.value)
            setRefused(undefined)
          }}
        />
      </Field>
      <Field label="Reason" required error={change.faultOf('reason')}>
        <Select value={reason} onValueChange={setReason} options={REASONS} />
      </Field>
      <Field label="Note" error={change.faultOf('note')} hint="Name no people: it is shown with each entry.">
        <TextInput maxLength={500} value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
    </ChangeDialog>
  )
}

function tellLine({ line, message }: SuppressionsAdded['refused'][number]) {
  return `Line ${line}: ${message}`
}
