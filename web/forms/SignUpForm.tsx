import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { normaliseEmail } from '../../core/domain/validate-email.ts'
import { useAuth, type AuthOutcome } from '../auth/auth-context.ts'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { PasswordInput } from '../ui/PasswordInput.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { emailRule, newPasswordRule, type Credentials } from './credential-rules.ts'

export function SignUpForm() {
  const { signUp } = useAuth()
  const [outcome, setOutcome] = useState<AuthOutcome | null>(null)
  const { register, handleSubmit, formState } = useForm<Credentials>({
    defaultValues: { email: '', password: '' },
  })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async ({ email, password }) => {
    setOutcome(null)
    setOutcome(await signUp(normaliseEmail(email), password))
  })

  if (outcome?.result === 'confirmation_sent') {
    return (
      <Banner tone="success" title="Account created">
        Please check your email and confirm your account
      </Banner>
    )
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <Field label="Email" error={errors.email?.message}>
        <TextInput type="email" autoComplete="username" {...register('email', { validate: emailRule })} />
      </Field>
      <Field
        label="Password"
        hint="8 to 128 characters, with a lowercase and an uppercase letter, a number, and a special character"
        error={errors.password?.message}
      >
        <PasswordInput autoComplete="new-password" {...register('password', { validate: newPasswordRule })} />
      </Field>
      {outcome?.result === 'refused' && (
        <Banner tone="failure" urgent>
          {outcome.message}
        </Banner>
      )}
      <Button type="submit" variant="primary" busy={isSubmitting}>
        {isSubmitting ? 'Creating account…' : 'Create account'}
      </Button>
    </form>
  )
}
