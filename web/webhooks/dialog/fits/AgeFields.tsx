import { useId } from 'react'
import { Controller, useFormContext } from 'react-hook-form'
import { Checkbox } from '#web/ui/form/Checkbox.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import type { WebhookFormValues } from '../webhook-form-values.ts'
import { useRuleCheck } from './use-rule-check.ts'

/** Two fields for an age range, both ends inclusive; either may stay empty. */
export function AgeFields({ index }: { index: number }) {
  const { register, control, formState } = useFormContext<WebhookFormValues>()
  const id = useId()
  const check = useRuleCheck(index)
  const errors = formState.errors.conditions?.rules?.[index]
  const name = `conditions.rules.${index}` as const
  const number = `Condition ${index + 1}`
  return (
    <>
      <Field
        label={`${number}: from this age`}
        labelHidden
        error={errors?.from?.message}
        className="w-18 flex-auto sm:flex-none"
      >
        <TextInput
          {...register(`${name}.from`, { onChange: check })}
          inputMode="numeric"
          autoComplete="off"
          placeholder="from"
        />
      </Field>
      <span aria-hidden className="py-2 text-sm text-muted">
        to
      </span>
      <Field
        label={`${number}: to this age`}
        labelHidden
        error={errors?.to?.message}
        className="w-18 flex-auto sm:flex-none"
      >
        <TextInput
          {...register(`${name}.to`, { onChange: check })}
          inputMode="numeric"
          autoComplete="off"
          placeholder="any"
        />
      </Field>
      <Controller
        control={control}
        name={`${name}.accept_unknown`}
        render={({ field }) => (
          <label htmlFor={`${id}-unknown`} className="flex min-h-9 items-center gap-2 text-sm">
            <Checkbox
              id={`${id}-unknown`}
              aria-label={`${number}: also without an age`}
              checked={field.value}
              onChange={({ target }) => field.onChange(target.checked)}
            />
            also without an age
          </label>
        )}
      />
    </>
  )
}
