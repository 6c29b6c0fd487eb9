import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router-dom'
import { normaliseEmail } from '#core/domain/accounts/validate-email.ts'
import { useAuth, type AuthOutcome } from '#web/session/auth-context.ts'
import { useCaptcha } from '#web/session/captcha/use-captcha.tsx'
import { startCode } from '#web/session/security/one-time-code.ts'
import { PATHS } from '#web/paths.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { ConfirmationSent } from './ConfirmationSent.tsx'
import { EmailField } from '../fields/EmailField.tsx'
import { NewPasswordField } from '../fields/NewPasswordField.tsx'
import { RefusalBanner } from '../fields/RefusalBanner.tsx'
import type { Credentials } from './credential-rules.ts'

export interface SignUpFormProps {
  email?: string
  /** Receives the typed address, so that another sign-in form need not ask for it again. */
  onEmail?: (email: string) => void
  /** Shows how hard the password is to guess. */
  strength?: boolean
}

export function SignUpForm({ email: typed = '', onEmail, strength = false }: SignUpFormProps) {
  const { signUp } = useAuth()
  const captcha = useCaptcha()
  const [outcome, setOutcome] = useState<AuthOutcome | null>(null)
  const form = useForm<Credentials>({ defaultValues: { email: typed, password: '' } })
  const { handleSubmit, formState } = form
  const { isSubmitting } = formState

  const submit = handleSubmit(async ({ email, password }) => {
    setOutcome(captcha.refusal === null ? null : { result: 'refused', message: captcha.refusal })
    if (captcha.refusal !== null) return
    const came = await signUp(normaliseEmail(email), password, captcha.token)
    if (came.result === 'confirmation_sent') startCode(normaliseEmail(email))
    setOutcome(came)
    captcha.renew()
  })

  if (outcome?.result === 'confirmation_sent') {
    const { email } = form.getValues()
    return (
      <ConfirmationSent
        email={normaliseEmail(email)}
        title="Account created"
        onChangeEmail={() => {
          setOutcome(null)
          form.reset({ email, password: '' })
        }}
      />
    )
  }
  if (outcome?.result === 'created') {
    return (
      <div className="flex flex-col gap-4">
        <Banner tone="success" title="Account created">
          Sign in with your new password.
        </Banner>
        <Link to={PATHS.auth} className={buttonClass('primary')}>
          Go to sign-in
        </Link>
      </div>
    )
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <EmailField form={form} name="email" onEmail={onEmail} />
      <NewPasswordField form={form} name="password" strength={strength} />
      {captcha.field}
      {outcome?.result === 'refused' && <RefusalBanner refusal={outcome} />}
      <Button type="submit" variant="primary" busy={isSubmitting}>
        {isSubmitting ? 'Creating account…' : 'Create account'}
      </Button>
    </form>
  )
}
