import { isAuthRetryableFetchError } from '@supabase/auth-js'
import { useState, type ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { authClient } from '#web/session/auth-client.ts'
import { friendlyWords } from '#web/session/credentials/friendly-message.ts'
import { useCaptcha } from '#web/session/captcha/use-captcha.tsx'
import { countWrongCode, endCode, refuseCode } from '#web/session/security/one-time-code.ts'
import { reportSecurityEvent } from '#web/session/security/report-event.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { CodeInput } from '#web/ui/form/CodeInput.tsx'
import { codeRule } from './code-rule.ts'
import { normaliseCode } from '#web/format/normalise-code.ts'
import { RefusalText } from './RefusalText.tsx'

export interface CodeStepProps {
  email: string
  /** Says which mail was sent, and to whom. */
  intro: ReactNode
  /** Labels of the buttons, and the toast after another mail. */
  words: { submit: string; submitting: string; resend: string; resent: string }
  /** The reason why no mail was sent at first; null if one was sent. */
  refused?: string | null
  /** Returns the reason why no new code was sent; null if one was sent. */
  onResend: (captchaToken?: string) => Promise<string | null>
  onChangeEmail: () => void
}

/** Asks for the six-digit code of the mail (docs/product.md §5, one-time code). */
export function CodeStep({
  email,
  intro,
  words,
  refused: unsent = null,
  onResend,
  onChangeEmail,
}: CodeStepProps) {
  const captcha = useCaptcha()
  const [refusal, setRefusal] = useState<string | null>(unsent)
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
    toast.success(words.resent)
  }

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {intro}
      <Field label="Six-digit code" hint="Good for 5 minutes" error={errors.code?.message}>
        <CodeInput autoFocus {...register('code', { validate: codeRule })} />
      </Field>
      <RefusalText text={refusal} />
      <Button type="submit" variant="primary" busy={isSubmitting}>
        {isSubmitting ? words.submitting : words.submit}
      </Button>
      {captcha.field}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" busy={sending} onClick={() => void resend()}>
          {words.resend}
        </Button>
        <Button size="sm" variant="quiet" onClick={onChangeEmail}>
          Use another address
        </Button>
      </div>
    </form>
  )
}
