import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { normaliseEmail } from '#core/domain/accounts/validate-email.ts'
import { useAuth } from '#web/session/auth-context.ts'
import { useCaptcha } from '#web/session/captcha/use-captcha.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { PasswordInput } from '#web/ui/form/PasswordInput.tsx'
import { ConfirmationSent, sendConfirmation } from './ConfirmationSent.tsx'
import { EmailField } from '../fields/EmailField.tsx'
import type { Credentials } from './credential-rules.ts'

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
  const [unconfirmed, setUnconfirmed] = useState(false)
  const [confirming, setConfirming] = useState<{ email: string; refused: string | null } | null>(null)
  const form = useForm<Credentials>({ defaultValues: { email: typed, password: '' } })
  const { register, handleSubmit, formState } = form
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async ({ email, password }) => {
    setRefusal(captcha.refusal)
    if (captcha.refusal !== null) return
    const outcome = await signIn(normaliseEmail(email), password, captcha.token)
    captcha.renew()
    setUnconfirmed(outcome.result === 'refused' && outcome.unconfirmed === true)
    if (outcome.result === 'refused') setRefusal(outcome.message)
    else onSignedIn?.()
  })

  const confirm = async () => {
    const email = normaliseEmail(form.getValues('email'))
    const refused = captcha.refusal ?? (await sendConfirmation(email, captcha.token))
    captcha.renew()
    setConfirming({ email, refused })
  }

  if (confirming !== null) {
    return (
      <ConfirmationSent
        {...confirming}
        title="One step is left"
        onChangeEmail={() => {
          setConfirming(null)
          setRefusal(null)
          setUnconfirmed(false)
        }}
      />
    )
  }

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <EmailField form={form} name="email" onEmail={onEmail} />
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
      {unconfirmed && (
        <Button size="sm" onClick={() => void confirm()} className="self-start">
          Send the mail again
        </Button>
      )}
      <Button type="submit" variant="primary" busy={isSubmitting}>
        {isSubmitting ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  )
}
