import { Suspense, useState } from 'react'
import { useForm } from 'react-hook-form'
import { normaliseEmail } from '#core/domain/accounts/validate-email.ts'
import { lazyPart } from '#web/app/lazy-part.ts'
import { fetchPart } from '#web/app/reload-when-stale.ts'
import { useAuth, type Refusal } from '#web/session/auth-context.ts'
import { useCaptcha } from '#web/session/captcha/use-captcha.tsx'
import { friendlyWords } from '#web/session/credentials/friendly-message.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { PasswordInput } from '#web/ui/form/PasswordInput.tsx'
import { EmailField } from '../fields/EmailField.tsx'
import { RefusalBanner } from '../fields/RefusalBanner.tsx'
import type { Credentials } from './credential-rules.ts'

/** Loaded on demand, because few people sign in before they have confirmed their address. */
const fetchConfirmation = () => import('./ConfirmationSent.tsx')
const ConfirmationSent = lazyPart(
  'ConfirmationSent',
  async () => (await fetchConfirmation()).ConfirmationSent,
)

export interface SignInFormProps {
  email?: string
  /** Receives the typed address, so that another sign-in form need not ask for it again. */
  onEmail?: (email: string) => void
  onSignedIn?: () => void
}

export function SignInForm({ email: typed = '', onEmail, onSignedIn }: SignInFormProps) {
  const { signIn } = useAuth()
  const captcha = useCaptcha()
  const [refusal, setRefusal] = useState<Pick<Refusal, 'message' | 'blockedUntil'> | null>(null)
  /** Address that was tried and is not confirmed; the form may contain another one by now. */
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const [confirming, setConfirming] = useState<{ email: string; refused: string | null } | null>(null)
  const form = useForm<Credentials>({ defaultValues: { email: typed, password: '' } })
  const { register, handleSubmit, formState } = form
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async ({ email, password }) => {
    setRefusal(captcha.refusal === null ? null : { message: captcha.refusal })
    if (captcha.refusal !== null) return
    const address = normaliseEmail(email)
    const outcome = await signIn(address, password, captcha.token)
    captcha.renew()
    setUnconfirmed(outcome.result === 'refused' && outcome.unconfirmed === true ? address : null)
    if (outcome.result === 'refused') setRefusal(outcome)
    else onSignedIn?.()
  })

  const confirm = async (email: string) => {
    setSending(true)
    try {
      const { sendConfirmation } = await fetchPart(fetchConfirmation)
      const refused = captcha.refusal ?? (await sendConfirmation(email, captcha.token))
      captcha.renew()
      setConfirming({ email, refused })
    } catch {
      setRefusal({ message: friendlyWords('network') })
    }
    setSending(false)
  }

  if (confirming !== null) {
    return (
      <Suspense fallback={null}>
        <ConfirmationSent
          {...confirming}
          title="One step is left"
          onChangeEmail={() => {
            setConfirming(null)
            setRefusal(null)
            setUnconfirmed(null)
          }}
        />
      </Suspense>
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
      {refusal !== null && <RefusalBanner refusal={refusal} />}
      {unconfirmed !== null && (
        <Button size="sm" busy={isSending} onClick={() => void confirm(unconfirmed)} className="self-start">
          Send the mail again
        </Button>
      )}
      <Button type="submit" variant="primary" busy={isSubmitting}>
        {isSubmitting ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  )
}
