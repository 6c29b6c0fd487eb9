import { useState } from 'react'
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { sayMinutes } from '#core/domain/market/say-minutes.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { OptionGroup } from '#web/ui/form/OptionGroup.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import type { OrderFormValues } from '../order-form-values.ts'
import { ANY_LEAD_AGE } from '../say-terms.ts'

const OFTEN = ['15', '60', '1440']
const OWN = 'own'
const OPTIONS = [
  { value: '', label: ANY_LEAD_AGE },
  ...OFTEN.map((value) => ({ value, label: sayMinutes(Number(value)) })),
  { value: OWN, label: 'Another number of minutes' },
]

/** The age that a lead may have: one of a few, or minutes that the client types. */
export function MaxAgeField() {
  const { control, register, setValue, formState } = useFormContext<OrderFormValues>()
  const [isTyped, setIsTyped] = useState(false)
  const choose = (value: string) => {
    setIsTyped(value === OWN)
    if (value !== OWN) setValue('max_lead_age_minutes', value, { shouldDirty: true, shouldValidate: true })
  }
  const typed = useWatch<OrderFormValues, 'max_lead_age_minutes'>({ name: 'max_lead_age_minutes' })
  return (
    <OptionGroup
      title="Maximum age of a lead"
      summary={sayTypedMinutes(typed)}
      hasFault={formState.errors.max_lead_age_minutes !== undefined}
    >
      <Controller
        control={control}
        name="max_lead_age_minutes"
        render={({ field: { value }, fieldState }) => {
          const isOwn = isTyped || OPTIONS.every((option) => option.value !== value)
          return (
            <div className="grid content-start gap-4 sm:grid-cols-2">
              <Field
                label="Maximum age of a lead"
                hint={`Counted from when it came to us.${value === '' && !isOwn ? '' : ' Older leads go to others.'}`}
                {...(!isOwn && { error: fieldState.error?.message })}
              >
                <Select value={isOwn ? OWN : value} onValueChange={choose} options={OPTIONS} />
              </Field>
              {isOwn && (
                <Field label="Minutes" error={fieldState.error?.message}>
                  <TextInput
                    {...register('max_lead_age_minutes')}
                    inputMode="numeric"
                    autoComplete="off"
                    className="tabular"
                  />
                </Field>
              )}
            </div>
          )
        }}
      />
    </OptionGroup>
  )
}

function sayTypedMinutes(typed: string) {
  if (typed === '') return ANY_LEAD_AGE
  return Number(typed) > 0 ? sayMinutes(Number(typed)) : typed
}
