import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { Field } from '#web/ui/form/Field.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { emailRule } from '../sign-in/credential-rules.ts'

export interface EmailFieldProps<Values extends FieldValues> {
  form: UseFormReturn<Values>
  name: Path<Values>
  /** Receives the typed address, so that another sign-in form need not ask for it again. */
  onEmail?: ((email: string) => void) | undefined
}

/** Input for the account's email address. */
export function EmailField<Values extends FieldValues>({ form, name, onEmail }: EmailFieldProps<Values>) {
  const { error } = form.getFieldState(name, form.formState)
  return (
    <Field label="Email" error={error?.message}>
      <TextInput
        type="email"
        autoComplete="username"
        {...form.register(name, {
          validate: emailRule,
          onChange: (event: { target: { value: string } }) => onEmail?.(event.target.value),
        })}
      />
    </Field>
  )
}
