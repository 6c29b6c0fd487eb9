import { useFormContext } from 'react-hook-form'
import { Field } from '#web/ui/form/Field.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { FormSection } from './FormSection.tsx'
import type { OrderFormValues } from './order-form-values.ts'

const CAPS = [
  { name: 'daily_cap', label: 'A day' },
  { name: 'weekly_cap', label: 'A week' },
  { name: 'monthly_cap', label: 'A month' },
  { name: 'total_cap', label: 'In all' },
] as const
const BUDGETS = [
  { name: 'daily_budget', label: 'Dollars a day' },
  { name: 'monthly_budget', label: 'Dollars a month' },
] as const

export function LimitFields() {
  const { register, formState } = useFormContext<OrderFormValues>()
  const { errors } = formState
  return (
    <FormSection
      title="At most"
      hint="Limits on leads and costs. Leave a field empty for no limit. Days, weeks (from Monday) and months follow the time zone below."
    >
      <div className="grid grid-cols-2 gap-x-4 gap-y-5 tight:grid-cols-1 sm:grid-cols-4">
        {CAPS.map(({ name, label }) => (
          <Field key={name} label={label} error={errors[name]?.message}>
            <TextInput
              {...register(name)}
              inputMode="numeric"
              autoComplete="off"
              placeholder="No cap"
              className="tabular"
            />
          </Field>
        ))}
        {BUDGETS.map(({ name, label }) => (
          <Field key={name} label={label} error={errors[name]?.message} className="sm:col-span-2">
            <TextInput
              {...register(name)}
              inputMode="decimal"
              autoComplete="off"
              placeholder="No budget"
              className="tabular"
            />
          </Field>
        ))}
      </div>
    </FormSection>
  )
}
