import { useState } from 'react'
import { adminOrderSchema, type AdminOrder } from '#core/contract/market/admin-order.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { formatMoney } from '#web/format/money.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { Switch } from '#web/ui/form/Switch.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { isPausedByOthers } from './say-who-paused.ts'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'

interface Entered {
  price: string
  priority: string
  weight: string
  paused: boolean
  reason: string
}

const enter = (order: AdminOrder): Entered => ({
  price: order.price ?? '',
  priority: String(order.priority),
  weight: String(order.weight),
  paused: isPausedByOthers(order),
  reason: order.paused_by === 'admin' ? (order.pause_reason ?? '') : '',
})

const PAUSE: ReadonlySet<string> = new Set(['paused', 'reason'])

export interface OrderDialogProps {
  /** the order of the current list; newer than the opened one if somebody has changed it */
  order: AdminOrder
  onClose: () => void
}

/**
 * Edits an administrator's settings of an order. If somebody else saves first, both values are shown and the
 * user decides again.
 */
export function OrderDialog({ order, onClose }: OrderDialogProps) {
  const [base] = useState(order)
  const [entered, setEntered] = useState(() => enter(order))
  const before = enter(base)
  const note = useReason()
  const changes = differences(before, entered)
  // A pause needs no note here: its reason is shown to the client and kept in the audit log.
  const isNoteWanted = Object.keys(changes).some((field) => !(entered.paused && PAUSE.has(field)))
  const set = (change: Partial<Entered>) => setEntered((current) => ({ ...current, ...change }))
  const change = useChange(
    () =>
      request(apiPath('admin', 'orders', order.id), adminOrderSchema, {
        method: 'PATCH',
        // Once both values have been shown, saving overwrites the stored one on purpose.
        body: { version: order.version, ...changes, note: note.text },
      }),
    { done: ({ name }) => `Order “${name}” changed`, onDone: onClose },
  )
  // The values that somebody else has saved meanwhile, to be shown beside the entered ones.
  const theirs = order.version === base.version ? undefined : enter(order)
  const hintOf = (field: 'price' | 'priority' | 'weight', hint: string) =>
    theirs === undefined || theirs[field] === entered[field]
      ? hint
      : `Now stored: ${theirs[field] === '' ? 'the price list' : theirs[field]}`
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={`Change “${order.name}”`}
      description={`${order.client.name} · ${order.lead_type_label}`}
      submit={theirs === undefined ? 'Save' : 'Save mine'}
      dirty={JSON.stringify(before) !== JSON.stringify(entered) || note.text !== ''}
      isBusy={change.isBusy}
      failure={change.isConflict ? undefined : change.failure}
      onSubmit={() => (isNoteWanted ? note.askFor(() => change.send(undefined)) : change.send(undefined))}
    >
      {theirs !== undefined && (
        <Banner tone="waiting" urgent title="Somebody else changed this order meanwhile">
          What is stored now stands beneath each field that differs.
        </Banner>
      )}
      <Field
        label="Price per lead ($)"
        hint={hintOf(
          'price',
          `Empty: what the price list says${order.price === null ? `, now ${formatMoney(order.charged)}` : ''}`,
        )}
        error={change.faultOf('price')}
      >
        <TextInput
          inputMode="decimal"
          value={entered.price}
          onChange={(event) => set({ price: event.target.value })}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Priority"
          hint={hintOf('priority', '1 is tried first, 99 last')}
          error={change.faultOf('priority')}
        >
          <TextInput
            inputMode="numeric"
            value={entered.priority}
            onChange={(event) => set({ priority: event.target.value })}
          />
        </Field>
        <Field
          label="Weight"
          hint={hintOf('weight', 'Its part among equals, 1 to 100')}
          error={change.faultOf('weight')}
        >
          <TextInput
            inputMode="numeric"
            value={entered.weight}
            onChange={(event) => set({ weight: event.target.value })}
          />
        </Field>
      </div>
      <Switch
        label="Paused by us"
        hint={
          order.paused_by_client
            ? 'The client has paused this order. That pause is only the client’s to end.'
            : undefined
        }
        checked={entered.paused}
        onCheckedChange={(paused) => set({ paused })}
      />
      {entered.paused && (
        <Field label="Reason" required hint="The client reads it." error={change.faultOf('reason')}>
          <TextInput
            maxLength={200}
            value={entered.reason}
            onChange={(event) => set({ reason: event.target.value })}
          />
        </Field>
      )}
      <ReasonField
        reason={note}
        fault={change.faultOf('note')}
        label="Note"
        hint="Why, for administrators alone, and kept for good: name no people."
        required={isNoteWanted}
      />
    </ChangeDialog>
  )
}

/**
 * Returns the changed fields in the form of the API. Invalid numbers are sent too, so that the server refuses
 * them at their field.
 */
function differences(before: Entered, entered: Entered) {
  const isPause = before.paused !== entered.paused || (entered.paused && before.reason !== entered.reason)
  const price = entered.price.trim().replace(/^\$/, '')
  return {
    ...(price !== before.price && { price: price === '' ? null : price }),
    ...(entered.priority !== before.priority && { priority: numberOf(entered.priority) }),
    ...(entered.weight !== before.weight && { weight: numberOf(entered.weight) }),
    ...(isPause && { paused: entered.paused, ...(entered.paused && { reason: entered.reason }) }),
  }
}

function numberOf(text: string): number | string {
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
}
