import { useState } from 'react'
import type { AdminClient } from '#core/contract/market/admin-client.ts'
import { z } from 'zod'
import { ledgerEntrySchema } from '#core/contract/market/money/ledger.ts'
import { pendingAdjustmentSchema } from '#core/contract/market/money/pending-adjustment.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { formatMoney } from '#web/format/money.ts'
import { useIdempotencyKeys } from '#web/hooks/use-idempotency-keys.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { TextArea } from '#web/ui/form/TextArea.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { nameClient } from './name-client.ts'

/** The entry; or, above the limit, what waits for a second administrator. */
const adjustedSchema = z.union([ledgerEntrySchema, pendingAdjustmentSchema])

function sayAdjusted(adjusted: z.infer<typeof adjustedSchema>) {
  return 'balance_after' in adjusted
    ? `The balance is ${formatMoney(adjusted.balance_after)}`
    : 'It waits until another administrator confirms it, under Money'
}

/**
 * Credits or debits a balance, with a note that the client reads. For an erased account it pays out the rest.
 */
export function AdjustBalance({ client, onClose }: { client: AdminClient; onClose: () => void }) {
  const isErased = client.status === 'erased'
  const whole = isErased ? `-${client.balance}` : ''
  const [amount, setAmount] = useState(whole)
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
      title={
        isErased ? 'Pay out what is left of an erased account' : `Adjust the balance of ${nameClient(client)}`
      }
      description={
        isErased
          ? `The balance is ${formatMoney(client.balance)}. Pay the money outside of Leadwire; this takes it off.`
          : `The balance is ${formatMoney(client.balance)}. Nothing is taken off below zero.`
      }
      submit={isErased ? 'Pay out' : 'Adjust'}
      dirty={amount !== whole || note !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => change.send(undefined)}
    >
      <Field
        label="Amount ($)"
        required
        hint={isErased ? '-50 takes fifty dollars off.' : '50 puts fifty dollars on it, -50 takes them off.'}
        error={change.faultOf('amount')}
      >
        <TextInput inputMode="text" value={amount} onChange={(event) => setAmount(event.target.value)} />
      </Field>
      <Field
        label="Note"
        required
        hint={
          isErased
            ? 'How it was paid, and to whom by which reference: name no people.'
            : 'The client reads it.'
        }
        error={change.faultOf('note')}
      >
        <TextArea rows={3} maxLength={500} value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
    </ChangeDialog>
  )
}
