import { X } from 'lucide-react'
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { Field } from '#web/ui/form/Field.tsx'
import { IconButton } from '#web/ui/action/IconButton.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import type { WebhookFormValues } from '../webhook-form-values.ts'
import { AgeFields } from './AgeFields.tsx'
import { RULE_FIELDS, type RuleDraft, type RuleField } from './rule-draft.ts'
import { RuleValues } from './RuleValues.tsx'
import { useRuleCheck } from './use-rule-check.ts'

const LABELS: Readonly<Record<RuleField, string>> = {
  lead_type: 'Lead type',
  state: 'State',
  zip: 'ZIP code',
  source: 'Source',
  age: 'Age',
  is_test: 'Test lead',
  custom: 'Custom value',
}
const ABOUT = RULE_FIELDS.map((value) => ({ value, label: LABELS[value] }))
const SIDES = [
  { value: 'is', label: 'is one of' },
  { value: 'is_not', label: 'is none of' },
] as const
const TEST = [
  { value: 'no', label: 'no' },
  { value: 'yes', label: 'yes' },
] as const

export interface RuleRowProps {
  index: number
  onRemove: () => void
}

/** One condition: a field of the lead and the values that match. Another field starts with new values. */
export function RuleRow({ index, onRemove }: RuleRowProps) {
  const { control, setValue } = useFormContext<WebhookFormValues>()
  const check = useRuleCheck(index)
  const name = `conditions.rules.${index}` as const
  const about = useWatch<WebhookFormValues, `${typeof name}.about`>({ name: `${name}.about` })
  const number = `Condition ${index + 1}`
  const choose = (next: RuleDraft['about']) => {
    const options = { shouldDirty: true }
    setValue(`${name}.about`, next, options)
    setValue(`${name}.values`, [], options)
    setValue(`${name}.typed`, '', options)
    check()
  }
  return (
    <li
      aria-label={number}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 px-3 py-2.5 tight:px-2 sm:grid-cols-[9rem_minmax(0,1fr)_auto]"
    >
      <Select
        className="tight:col-span-2"
        aria-label={`${number}: field`}
        value={about}
        onValueChange={choose}
        options={ABOUT}
      />
      <div className="col-span-2 row-start-2 flex min-w-0 flex-wrap items-start gap-2 sm:col-span-1 sm:row-start-1 sm:col-start-2">
        {about === 'age' ? (
          <AgeFields index={index} />
        ) : about === 'is_test' ? (
          <Controller
            control={control}
            name={`${name}.is_test`}
            render={({ field }) => (
              <Select
                aria-label={`${number}: it is a test lead`}
                className="sm:max-w-32"
                value={field.value ? 'yes' : 'no'}
                onValueChange={(chosen) => field.onChange(chosen === 'yes')}
                options={TEST}
              />
            )}
          />
        ) : (
          <>
            {about === 'custom' && <CustomName index={index} />}
            <Controller
              control={control}
              name={`${name}.is_not`}
              render={({ field }) => (
                <Select
                  aria-label={`${number}: fits when it`}
                  className="sm:w-32!"
                  value={field.value ? 'is_not' : 'is'}
                  onValueChange={(chosen) => field.onChange(chosen === 'is_not')}
                  options={SIDES}
                />
              )}
            />
            <RuleValues index={index} about={about} label={`${number}: values`} />
          </>
        )}
      </div>
      <IconButton
        label={`Remove condition ${index + 1}`}
        icon={<X aria-hidden />}
        onClick={onRemove}
        className="col-start-2 row-start-1 tight:row-start-3 sm:col-start-3"
      />
    </li>
  )
}

function CustomName({ index }: { index: number }) {
  const { register, formState } = useFormContext<WebhookFormValues>()
  const check = useRuleCheck(index)
  return (
    <Field
      label={`Condition ${index + 1}: name of the custom value`}
      labelHidden
      error={formState.errors.conditions?.rules?.[index]?.name?.message}
      className="w-full sm:w-40"
    >
      <TextInput
        {...register(`conditions.rules.${index}.name`, { onChange: check })}
        mono
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={64}
        placeholder="custom name"
      />
    </Field>
  )
}
