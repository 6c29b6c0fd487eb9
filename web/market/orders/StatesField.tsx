import { CircleAlert } from 'lucide-react'
import { Controller, useFormContext } from 'react-hook-form'
import { StateList } from '#web/components/states/StateList.tsx'
import { FormSection } from './FormSection.tsx'
import type { OrderFormValues } from './order-form-values.ts'

export function StatesField() {
  const { control } = useFormContext<OrderFormValues>()
  return (
    <Controller
      control={control}
      name="states"
      render={({ field, fieldState }) => (
        <FormSection title="States">
          <StateList
            value={field.value}
            onChange={field.onChange}
            focus={field.ref}
            isFaulty={fieldState.invalid}
            allMeans="Wherever a lead comes from"
          />
          {fieldState.error !== undefined && (
            <p role="alert" className="mt-1.5 flex items-start gap-1.5 text-xs text-failure">
              <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
              {fieldState.error.message ?? 'Choose other states'}
            </p>
          )}
        </FormSection>
      )}
    />
  )
}
