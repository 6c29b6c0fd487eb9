import type { PostingField } from '#core/contract/leads/posting-spec.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'

export interface TestLeadFieldProps {
  field: PostingField
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

const NONE = { value: '', label: 'Not sent' }

/** One field, labelled with its name in a request. */
export function TestLeadField({ field, value, error, onChange }: TestLeadFieldProps) {
  const choices = field.type === 'true or false' ? ['true', 'false'] : (field.allowed ?? [])
  return (
    <Field
      label={<span className="font-mono text-xs">{field.name}</span>}
      hint={field.says}
      required={field.required === 'yes'}
      error={error}
    >
      {choices.length > 0 ? (
        <Select
          value={value}
          onValueChange={onChange}
          options={[NONE, ...choices.map((choice) => ({ value: choice, label: choice }))]}
        />
      ) : (
        <TextInput value={value} onChange={(event) => onChange(event.target.value)} autoComplete="off" />
      )}
    </Field>
  )
}
