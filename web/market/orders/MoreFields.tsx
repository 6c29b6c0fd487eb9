import { Controller, useFormContext } from 'react-hook-form'
import { Field } from '#web/ui/form/Field.tsx'
import { RadioGroup } from '#web/ui/form/RadioGroup.tsx'
import { Switch } from '#web/ui/form/Switch.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { FormSection } from './FormSection.tsx'
import type { OrderFormValues } from './order-form-values.ts'
import { WHEN_UNDELIVERED } from './say-terms.ts'

export function MoreFields({ isNew }: { isNew: boolean }) {
  const { register, control, formState } = useFormContext<OrderFormValues>()
  const { errors } = formState
  return (
    <>
      <FormSection title="Dates" hint="Empty: from now on, and until you stop it.">
        <div className="grid grid-cols-2 gap-4 tight:grid-cols-1 sm:max-w-md">
          <Field label="First day" error={errors.starts_at?.message}>
            <TextInput {...register('starts_at')} type="date" className="tabular" />
          </Field>
          <Field label="Last day" error={errors.ends_at?.message}>
            <TextInput {...register('ends_at')} type="date" className="tabular" />
          </Field>
        </div>
      </FormSection>
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
      {isNew && (
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
      )}
    </>
  )
}
