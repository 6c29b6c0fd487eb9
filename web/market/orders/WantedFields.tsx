import { Controller, useFormContext, useWatch } from 'react-hook-form'
import type { LeadTypeForClient, Order } from '#core/contract/market/order.ts'
import { MemberField } from '#web/components/MemberField.tsx'
import { formatMoney } from '#web/format/money.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import type { OrderFormValues } from './order-form-values.ts'
import { sayPrice } from './say-terms.ts'

export interface WantedFieldsProps {
  types: readonly LeadTypeForClient[]
  /** the order that is edited; its type cannot change */
  target: Order | null
}

export function WantedFields({ types, target }: WantedFieldsProps) {
  const { register, control, formState } = useFormContext<OrderFormValues>()
  const { errors } = formState
  const chosen = useWatch<OrderFormValues, 'lead_type'>({ name: 'lead_type' })
  const price = types.find(({ code }) => code === chosen)?.price
  const listed = target === null ? undefined : sayPrice(target)
  const said = listed ?? (price === undefined ? undefined : `${formatMoney(price)} a lead`)
  const options =
    target === null
      ? types.map(({ code, label }) => ({ value: code, label }))
      : [{ value: target.lead_type, label: target.lead_type_label }]
  return (
    <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
      <Field label="Name" required error={errors.name?.message} hint="Only you see it.">
        <TextInput {...register('name')} autoComplete="off" placeholder="Texas seniors" />
      </Field>
      <Controller
        control={control}
        name="lead_type"
        render={({ field, fieldState }) => (
          <Field label="Lead type" error={fieldState.error?.message}>
            <Select
              value={field.value}
              onValueChange={field.onChange}
              options={options}
              disabled={target !== null}
            />
          </Field>
        )}
      />
      <Field label="Leads a day" error={errors.daily_cap?.message} hint="At most. Empty: no limit.">
        <TextInput
          {...register('daily_cap')}
          inputMode="numeric"
          autoComplete="off"
          placeholder="No cap"
          className="tabular"
        />
      </Field>
      <div className="flex min-w-0 flex-col gap-1.5 text-sm tabular">
        <p className="font-medium">Price</p>
        <p className="flex min-h-9 items-center">{said}</p>
      </div>
      <Controller
        control={control}
        name="member_user_id"
        render={({ field, fieldState }) => (
          <MemberField
            label="For"
            hint="A person’s leads are shown to them, to owners and to managers."
            value={field.value}
            onValueChange={field.onChange}
            error={fieldState.error?.message}
          />
        )}
      />
    </div>
  )
}
