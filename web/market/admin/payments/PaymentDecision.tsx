import { useState } from 'react'
import { paymentSchema, type AdminPayment } from '#core/contract/market/money/payment.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { formatMoney } from '#web/format/money.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'

export interface PaymentDecisionProps {
  payment: AdminPayment
  isReceipt: boolean
  onClose: () => void
}

/** Marks a payment as received, or rejects it. */
export function PaymentDecision({ payment, isReceipt, onClose }: PaymentDecisionProps) {
  // An amount in another currency is left empty: the administrator says how many dollars came.
  const expected = payment.told_amount ?? (payment.failure === null ? payment.amount : '')
  const note = useReason('Note is required')
  const [came, setCame] = useState(expected)
  const [amount, name] = [formatMoney(payment.amount), payment.client.name]
  const change = useChange(
    () =>
      request(apiPath('admin', 'payments', payment.id, isReceipt ? 'receive' : 'reject'), paymentSchema, {
        method: 'POST',
        body: { note: note.text, ...(isReceipt && { amount: came.trim() }) },
      }),
    {
      done: (received) =>
        isReceipt ? `${formatMoney(received.amount)} is on the balance of ${name}` : 'Payment rejected',
      onDone: onClose,
    },
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={
        isReceipt ? `Received the payment of ${amount} from ${name}?` : `Reject the payment of ${amount}?`
      }
      description={
        isReceipt
          ? 'The amount goes on the client’s balance at once, and leads are bought with it.'
          : `${name} reads that no money came in.`
      }
      submit={isReceipt ? 'Mark as received' : 'Reject'}
      danger={!isReceipt}
      dirty={note.text !== '' || came !== expected}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => note.askFor(() => change.send(undefined))}
    >
      {isReceipt && (
        <Field
          label="Amount that came in ($)"
          required
          hint={`${amount} was asked for.`}
          error={change.faultOf('amount')}
        >
          <TextInput inputMode="decimal" value={came} onChange={(event) => setCame(event.target.value)} />
        </Field>
      )}
      <ReasonField
        reason={note}
        fault={change.faultOf('note')}
        label="Note"
        hint={
          isReceipt
            ? 'The client reads it: the transfer’s reference, or why another amount came.'
            : 'The client reads it.'
        }
      />
    </ChangeDialog>
  )
}
