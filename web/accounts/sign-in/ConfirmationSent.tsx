import { useState } from 'react'
import { authClient } from '#web/session/auth-client.ts'
import { useCaptcha } from '#web/session/captcha/use-captcha.tsx'
import { requestMail } from '#web/session/credentials/request-mail.ts'
import { PATHS } from '#web/paths.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { toast } from '#web/ui/overlay/toast.ts'

export interface ConfirmationSentProps {
  email: string
  onChangeEmail: () => void
}

/** After sign-up: the account opens by the mail's link, which may be lost or have gone to a mistyped address. */
export function ConfirmationSent({ email, onChangeEmail }: ConfirmationSentProps) {
  const captcha = useCaptcha()
  const [refusal, setRefusal] = useState<string | null>(null)
  const [sending, setSending] = useState(false)

  const resend = async () => {
    setRefusal(captcha.refusal)
    if (captcha.refusal !== null) return
    setSending(true)
    const { token: captchaToken } = captcha
    const options = {
      emailRedirectTo: location.origin + PATHS.dashboard,
      ...(captchaToken === undefined ? {} : { captchaToken }),
    }
    const outcome = await requestMail(
      () => authClient.resend({ type: 'signup', email, options }),
      'The mail could not be sent. Please try again.',
    )
    captcha.renew()
    setSending(false)
    if (outcome.result === 'refused') setRefusal(outcome.message)
    else toast.success('The mail is on its way again')
  }

  return (
    <>
      <Banner tone="success" title="Account created">
        <p>Please check your email and confirm your account</p>
        <p className="mt-1 text-muted">
          The mail goes to <b className="font-medium break-all text-ink">{email}</b>.
        </p>
      </Banner>
      {captcha.field}
      {refusal !== null && (
        <Banner tone="failure" urgent>
          {refusal}
        </Banner>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" busy={sending} onClick={() => void resend()}>
          Send the mail again
        </Button>
        <Button size="sm" variant="quiet" onClick={onChangeEmail}>
          Use another address
        </Button>
      </div>
    </>
  )
}
