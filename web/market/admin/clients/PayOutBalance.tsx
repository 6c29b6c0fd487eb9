import { useState } from 'react'
import type { AdminClient } from '#core/contract/market/admin-client.ts'
import { PAY_OUT_METHODS, type PayOutMethod } from '#core/contract/market/money/pay-out.ts'
import { PAY_OUT_WORDS } from '#core/domain/market/describe-pay-out.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { formatMoney } from '#web/format/money.ts'
import { useIdempotencyKeys } from '#web/hooks/use-idempotency-keys.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { TextArea } from '#web/ui/form/TextArea.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { adjustedSchema, sayAdjusted } from './adjusted.ts'

const METHODS = PAY_OUT_METHODS.map((value) => {
  const words = PAY_OUT_WORDS[value]
  return { value, label: `${words.charAt(0).toUpperCase()}${words.slice(1)}` }
})

/** Takes money off a balance that the client gets outside of Leadwire, with how and why it was paid. */
export function PayOutBalance({ client, onClose }: { client: AdminClient; onClose: () => void }) {
  const [amount, setAmount] = useState(client.balance)
  const [method, setMethod] = useState<PayOutMethod>('bank_transfer')
  const [reference, setReference] = useState('')
  const [note, setNote] = useState('')
  // If an answer is lost, the next try does not pay out twice.
  const keys = useIdempotencyKeys()
  const change = useChange(
    () => {
      const body = { amount: amount.trim(), method, reference, note }
      return request(apiPath('admin', 'clients', client.user_id, 'pay-out'), adjustedSchema, {
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
      title={
        client.status === 'erased'
          ? 'Pay out what is left of an erased account'
          : `Pay out money of ${client.display_name}`
      }
      description={`The balance is ${formatMoney(client.balance)}. Pay the money outside of Leadwire; this takes it off.`}
      submit="Pay out"
      dirty={amount !== client.balance || reference !== '' || note !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => change.send(undefined)}
    >
      <Field label="Amount ($)" required error={change.faultOf('amount')}>
        <TextInput inputMode="decimal" value={amount} onChange={(event) => setAmount(event.target.value)} />
      </Field>
      <Field label="Paid by" required error={change.faultOf('method')}>
        <Select value={method} onValueChange={setMethod} options={METHODS} />
      </Field>
      <Field
        label="Reference"
        required
        hint="Of the transfer or check: name no people."
        error={change.faultOf('reference')}
      >
        <TextInput maxLength={100} value={reference} onChange={(event) => setReference(event.target.value)} />
      </Field>
      <Field label="Note" required hint="Why. The client reads it." error={change.faultOf('note')}>
        <TextArea rows={2} maxLength={350} value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
    </ChangeDialog>
  )
}
