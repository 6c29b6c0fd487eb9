import { isAuthRetryableFetchError } from '@supabase/auth-js'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { authClient } from '#web/session/auth-client.ts'
import { friendlyWords } from '#web/session/credentials/friendly-message.ts'
import { useCaptcha } from '#web/session/captcha/use-captcha.tsx'
import { countWrongCode, endCode, refuseCode } from '#web/session/security/one-time-code.ts'
import { reportSecurityEvent } from '#web/session/security/report-event.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { CodeInput } from './CodeInput.tsx'
import { codeRule, normaliseCode } from './code-rule.ts'

export interface CodeStepProps {
  email: string
  /** Answers why no new code was sent; null when one was. */
  onResend: (captchaToken?: string) => Promise<string | null>
  onChangeEmail: () => void
}

/** Takes the six digits of the mail (docs/product.md §5, one-time code). */
export function CodeStep({ email, onResend, onChangeEmail }: CodeStepProps) {
  const captcha = useCaptcha()
  const [refusal, setRefusal] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  const { register, handleSubmit, formState, reset, setFocus } = useForm({ defaultValues: { code: '' } })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async ({ code }) => {
    const known = refuseCode(email)
    setRefusal(known)
    if (known !== null) return
    const { error } = await authClient.verifyOtp({ email, token: normaliseCode(code), type: 'email' })
    if (error === null) endCode(email)
    else if (isAuthRetryableFetchError(error)) setRefusal(friendlyWords('network'))
    else if (error.status === 429) setRefusal(friendlyWords('too_many_requests'))
    else {
      reportSecurityEvent('failed_login', { way: 'code' })
      setRefusal(countWrongCode(email))
      setFocus('code')
    }
  })

  const resend = async () => {
    setRefusal(captcha.refusal)
    if (captcha.refusal !== null) return
    setSending(true)
    const refused = await onResend(captcha.token)
    captcha.renew()
    setSending(false)
    setRefusal(refused)
    if (refused !== null) return
    reset()
    toast.success('A new code is on its way')
  }

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <Banner tone="info" title="Look into your mailbox">
        If <b className="font-medium break-all">{email}</b> has an account, a mail with a link and a code is
        on its way. Open the link, or type the code here.
      </Banner>
      <Field label="Six-digit code" hint="Good for 5 minutes" error={errors.code?.message}>
        <CodeInput autoFocus {...register('code', { validate: codeRule })} />
      </Field>
      {refusal !== null && (
        <Banner tone="failure" urgent>
          {refusal}
        </Banner>
      )}
      <Button type="submit" variant="primary" busy={isSubmitting}>
        {isSubmitting ? 'Signing in…' : 'Sign in with the code'}
      </Button>
      {captcha.field}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" busy={sending} onClick={() => void resend()}>
          Send a new code
        </Button>
        <Button size="sm" variant="quiet" onClick={onChangeEmail}>
          Use another address
        </Button>
      </div>
    </form>
  )
}
