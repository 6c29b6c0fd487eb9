import { useState } from 'react'
import { leadTypeSchema, type LeadType } from '#core/contract/market/lead-price.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { Switch } from '#web/ui/form/Switch.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'

export interface LeadTypeDialogProps {
  /** null for a new type */
  type: LeadType | null
  onClose: () => void
}

export function LeadTypeDialog({ type, onClose }: LeadTypeDialogProps) {
  const before = {
    code: type?.code ?? '',
    label: type?.label ?? '',
    price: type?.price ?? '',
    floor_price: type?.floor_price ?? '',
    late_credit: type?.late_credit ?? false,
  }
  const reason = useReason()
  const [entered, setEntered] = useState(before)
  const change = useChange(
    () =>
      request(apiPath('admin', 'lead-types'), leadTypeSchema, {
        method: type === null ? 'POST' : 'PATCH',
        body: { ...entered, note: reason.text },
      }),
    { done: ({ label }) => `${label} saved`, onDone: onClose },
  )
  const field = (name: Exclude<keyof typeof before, 'late_credit'>, label: string, hint?: string) => (
    <Field label={label} required {...(hint !== undefined && { hint })} error={change.faultOf(name)}>
      <TextInput
        mono={name === 'code'}
        {...(name.endsWith('price') && { inputMode: 'decimal' as const })}
        value={entered[name]}
        onChange={(event) => setEntered({ ...entered, [name]: event.target.value })}
      />
    </Field>
  )
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={type === null ? 'Add a lead type' : `Change ${type.label}`}
      description="Counts for leads that are sold from now on; what was sold keeps its price."
      submit={type === null ? 'Add' : 'Save'}
      dirty={JSON.stringify(before) !== JSON.stringify(entered) || reason.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => reason.askFor(() => change.send(undefined))}
    >
      {type === null && field('code', 'Code', 'As sources send it, like final_expense')}
      {field('label', 'Label')}
      <div className="grid gap-4 sm:grid-cols-2">
        {field('price', 'Price ($)')}
        {field('floor_price', 'Floor ($)', 'Nothing is sold below it')}
      </div>
      <Switch
        label="Credit late leads"
        hint="A lead that begins its way later than 5 seconds because of us pays itself back."
        checked={entered.late_credit}
        onCheckedChange={(late_credit) => setEntered({ ...entered, late_credit })}
      />
      <ReasonField reason={reason} fault={change.faultOf('note')} />
    </ChangeDialog>
  )
}
