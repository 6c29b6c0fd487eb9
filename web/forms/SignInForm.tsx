import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { normaliseEmail } from '../../core/domain/validate-email.ts'
import { useAuth } from '../auth/auth-context.ts'
import { useCaptcha } from '../captcha/use-captcha.tsx'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { PasswordInput } from '../ui/PasswordInput.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { emailRule, type Credentials } from './credential-rules.ts'

export interface SignInFormProps {
  email?: string
  /** What is typed, so that another way in need not ask for it again. */
  onEmail?: (email: string) => void
  onSignedIn?: () => void
}

export function SignInForm({ email: typed = '', onEmail, onSignedIn }: SignInFormProps) {
  const { signIn } = useAuth()
  const captcha = useCaptcha()
  const [refusal, setRefusal] = useState<string | null>(null)
  const { register, handleSubmit, formState } = useForm<Credentials>({
    defaultValues: { email: typed, password: '' },
  })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async ({ email, password }) => {
    setRefusal(captcha.refusal)
    if (captcha.refusal !== null) return
    const outcome = await signIn(normaliseEmail(email), password, captcha.token)
    captcha.renew()
    if (outcome.result === 'refused') setRefusal(outcome.message)
    else onSignedIn?.()
  })

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <Field label="Email" error={errors.email?.message}>
        <TextInput
          type="email"
          autoComplete="username"
          {...register('email', {
            validate: emailRule,
            onChange: (event: { target: { value: string } }) => onEmail?.(event.target.value),
          })}
        />
      </Field>
      <Field label="Password" error={errors.password?.message}>
        <PasswordInput
          autoComplete="current-password"
          {...register('password', { required: 'Password is required' })}
        />
      </Field>
      {captcha.field}
      {refusal !== null && (
        <Banner tone="failure" urgent>
          {refusal}
        </Banner>
      )}
      <Button type="submit" variant="primary" busy={isSubmitting}>
        {isSubmitting ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  )
}
