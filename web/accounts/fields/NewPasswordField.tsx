import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { Field } from '#web/ui/form/Field.tsx'
import { PasswordInput } from '#web/ui/form/PasswordInput.tsx'
import { newPasswordRule } from '../sign-in/credential-rules.ts'
import { PasswordRules } from './PasswordRules.tsx'

export interface NewPasswordFieldProps<Values extends FieldValues> {
  form: UseFormReturn<Values>
  name: Path<Values>
  label?: string
  strength?: boolean
}

/** Input for a new password, with the password rules below it. */
export function NewPasswordField<Values extends FieldValues>(props: NewPasswordFieldProps<Values>) {
  const { form, name, label = 'Password', strength = false } = props
  const typed = form.watch(name) as unknown
  const { error } = form.getFieldState(name, form.formState)
  return (
    <Field
      label={label}
      hint={<PasswordRules password={typeof typed === 'string' ? typed : ''} strength={strength} />}
      error={error?.message}
    >
      <PasswordInput
        autoComplete="new-password"
        what={label.toLowerCase()}
        {...form.register(name, { validate: newPasswordRule })}
      />
    </Field>
  )
}
