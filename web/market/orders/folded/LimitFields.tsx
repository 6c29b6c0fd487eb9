import { useFormContext, useWatch } from 'react-hook-form'
import { Field } from '#web/ui/form/Field.tsx'
import { OptionGroup } from '#web/ui/form/OptionGroup.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import type { OrderFormValues } from '../order-form-values.ts'
import { sayLimits, type LimitField } from '../say-terms.ts'

const LIMITS: readonly { name: LimitField; label: string; isMoney?: true }[] = [
  { name: 'weekly_cap', label: 'A week' },
  { name: 'monthly_cap', label: 'A month' },
  { name: 'total_cap', label: 'In all' },
  { name: 'daily_budget', label: 'Dollars a day', isMoney: true },
  { name: 'monthly_budget', label: 'Dollars a month', isMoney: true },
]

/** The limits beside the leads of a day. */
export function LimitFields() {
  const { register, formState } = useFormContext<OrderFormValues>()
  const { errors } = formState
  const limits = useWatch<OrderFormValues, LimitField[]>({ name: LIMITS.map(({ name }) => name) })
  const values = Object.fromEntries(LIMITS.map(({ name }, index) => [name, limits[index] ?? '']))
  return (
    <OptionGroup
      title="Caps and budgets"
      summary={sayLimits(values as Record<LimitField, string>)}
      hasFault={LIMITS.some(({ name }) => errors[name] !== undefined)}
    >
      <p className="mb-3 text-xs text-muted">
        Leave a field empty for no limit. Weeks (from Monday) and months follow the time zone of the hours.
      </p>
      <div className="grid grid-cols-2 gap-x-4 gap-y-5 tight:grid-cols-1 sm:grid-cols-6">
        {LIMITS.map(({ name, label, isMoney = false }) => (
          <Field
            key={name}
            label={label}
            error={errors[name]?.message}
            className={isMoney ? 'sm:col-span-3' : 'sm:col-span-2'}
          >
            <TextInput
              {...register(name)}
              inputMode={isMoney ? 'decimal' : 'numeric'}
              autoComplete="off"
              placeholder={isMoney ? 'No budget' : 'No cap'}
              className="tabular"
            />
          </Field>
        ))}
      </div>
    </OptionGroup>
  )
}
