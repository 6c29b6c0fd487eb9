import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { Field } from '#web/ui/form/Field.tsx'
import { OptionGroup } from '#web/ui/form/OptionGroup.tsx'
import { RadioGroup } from '#web/ui/form/RadioGroup.tsx'
import { Switch } from '#web/ui/form/Switch.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import type { OrderFormValues } from '../order-form-values.ts'
import { nameUndelivered, sayDates, WHEN_UNDELIVERED } from '../say-terms.ts'

export function DateFields() {
  const { register, formState } = useFormContext<OrderFormValues>()
  const { starts_at, ends_at } = formState.errors
  const dates = useWatch<OrderFormValues, ['starts_at', 'ends_at']>({ name: ['starts_at', 'ends_at'] })
  return (
    <OptionGroup
      title="Dates"
      summary={sayDates(...dates)}
      hasFault={starts_at !== undefined || ends_at !== undefined}
    >
      <p className="mb-3 text-xs text-muted">Empty: from now on, and until you stop it.</p>
      <div className="grid grid-cols-2 gap-4 tight:grid-cols-1 sm:max-w-md">
        <Field label="First day" error={starts_at?.message}>
          <TextInput {...register('starts_at')} type="date" className="tabular" />
        </Field>
        <Field label="Last day" error={ends_at?.message}>
          <TextInput {...register('ends_at')} type="date" className="tabular" />
        </Field>
      </div>
    </OptionGroup>
  )
}

export function UndeliveredField() {
  const { control } = useFormContext<OrderFormValues>()
  const chosen = useWatch<OrderFormValues, 'when_undelivered'>({ name: 'when_undelivered' })
  return (
    <OptionGroup title="Failed deliveries" summary={nameUndelivered(chosen)}>
      <Controller
        control={control}
        name="when_undelivered"
        render={({ field }) => (
          <RadioGroup
            label="When your CRM refuses a lead, or no webhook of yours can be reached"
            value={field.value}
            onValueChange={field.onChange}
            options={WHEN_UNDELIVERED}
          />
        )}
      />
    </OptionGroup>
  )
}

export function ActiveField() {
  const { control } = useFormContext<OrderFormValues>()
  return (
    <Controller
      control={control}
      name="active"
      render={({ field }) => (
        <Switch
          label="Take leads at once"
          hint="Off: the order is created paused, and you switch it on when you are ready."
          checked={field.value}
          onCheckedChange={field.onChange}
        />
      )}
    />
  )
}
