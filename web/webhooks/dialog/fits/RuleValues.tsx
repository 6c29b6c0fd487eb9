import { useQuery } from '@tanstack/react-query'
import { useFormContext, useWatch } from 'react-hook-form'
import { STATE_NAMES } from '#core/domain/leads/us-states.ts'
import { leadTypesQuery } from '#web/api/lead-types.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { ValuesInput } from '#web/ui/form/ValuesInput.tsx'
import type { WebhookFormValues } from '../webhook-form-values.ts'
import { readTyped } from './read-typed.ts'
import type { RuleField } from './rule-draft.ts'
import { useRuleCheck } from './use-rule-check.ts'

const STATES = Object.entries(STATE_NAMES).map(([value, label]) => ({ value, label }))
const EXAMPLES: Readonly<Partial<Record<RuleField, string>>> = {
  lead_type: 'Final expense',
  state: 'California, TX',
  zip: '752, within 25 miles of 75201',
  source: 'web-form',
}

export interface RuleValuesProps {
  index: number
  about: RuleField
  label: string
}

/** The values of a condition, with suggestions; the form also holds text that is still being typed. */
export function RuleValues({ index, about, label }: RuleValuesProps) {
  const { setValue, formState } = useFormContext<WebhookFormValues>()
  const check = useRuleCheck(index)
  const name = `conditions.rules.${index}` as const
  const [values, typed] = useWatch<WebhookFormValues, [`${typeof name}.values`, `${typeof name}.typed`]>({
    name: [`${name}.values`, `${name}.typed`],
  })
  // A user without this right types the values; nothing else depends on the list.
  const types = useQuery({ ...leadTypesQuery, enabled: about === 'lead_type', retry: false })
  const offered =
    about === 'state'
      ? STATES
      : about === 'lead_type'
        ? (types.data ?? []).map(({ code, label: text }) => ({ value: code, label: text }))
        : []
  const error = formState.errors.conditions?.rules?.[index]?.values
  return (
    <Field label={label} labelHidden error={error?.message} className="min-w-[min(12rem,100%)] flex-1">
      <ValuesInput
        values={values}
        typed={typed}
        onChange={(next, text) => {
          const options = { shouldDirty: true }
          setValue(`${name}.values`, [...next], options)
          setValue(`${name}.typed`, text, options)
          check()
        }}
        read={(text) => readTyped(about, text)}
        offered={offered}
        placeholder={EXAMPLES[about] ?? 'value, Enter'}
      />
    </Field>
  )
}
