import { useState } from 'react'
import type { AdminClient } from '#core/contract/market/admin-client.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { formatMoney } from '#web/format/money.ts'
import { useIdempotencyKeys } from '#web/hooks/use-idempotency-keys.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { TextArea } from '#web/ui/form/TextArea.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { adjustedSchema, sayAdjusted } from './adjusted.ts'

/** Credits or debits a balance, with a note that the client reads. */
export function AdjustBalance({ client, onClose }: { client: AdminClient; onClose: () => void }) {
  const [amount, setAmount] = useState('')
  const [note, setNote] = useState('')
  // If an answer is lost, the next try does not adjust twice.
  const keys = useIdempotencyKeys()
  const change = useChange(
    () => {
      const body = { amount: amount.trim(), note }
      return request(apiPath('admin', 'clients', client.user_id, 'adjust'), adjustedSchema, {
        method: 'POST',
        body,
        idempotencyKey: keys.keyOf(JSON.stringify(body)),
      })
    },
    { done: sayAdjusted, onDone: onClose },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={`Adjust the balance of ${client.display_name}`}
      description={`The balance is ${formatMoney(client.balance)}. Nothing is taken off below zero.`}
      submit="Adjust"
      dirty={amount !== '' || note !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => change.send(undefined)}
    >
      <Field
        label="Amount ($)"
        required
        hint="50 puts fifty dollars on it, -50 takes them off."
        error={change.faultOf('amount')}
      >
        <TextInput inputMode="text" value={amount} onChange={(event) => setAmount(event.target.value)} />
      </Field>
      <Field label="Note" required hint="The client reads it." error={change.faultOf('note')}>
        <TextArea rows={3} maxLength={500} value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
    </ChangeDialog>
  )
}
