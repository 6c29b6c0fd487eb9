import { useState } from 'react'
import { authClient } from '#web/session/auth-client.ts'
import { requestMail } from '#web/session/credentials/request-mail.ts'
import { PATHS } from '#web/paths.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { EmailStep } from '../fields/EmailStep.tsx'

export interface ForgotPasswordFormProps {
  email: string
  onEmail: (email: string) => void
}

/** Requests the mail with the link to choose a new password. */
export function ForgotPasswordForm({ email, onEmail }: ForgotPasswordFormProps) {
  const [sentTo, setSentTo] = useState<string | null>(null)

  const send = async (address: string, captchaToken?: string) => {
    const redirectTo = location.origin + PATHS.auth
    const options = { redirectTo, ...(captchaToken === undefined ? {} : { captchaToken }) }
    const outcome = await requestMail(
      () => authClient.resetPasswordForEmail(address, options),
      'The mail could not be sent. Please try again.',
    )
    if (outcome.result === 'refused') return outcome.message
    setSentTo(address)
    return null
  }

  if (sentTo === null)
    return (
      <EmailStep
        email={email}
        onEmail={onEmail}
        label="Email me a link"
        busyLabel="Sending…"
        onSubmit={send}
      />
    )
  return (
    <>
      <Banner tone="info" title="Look into your mailbox">
        If <b className="font-medium break-all">{sentTo}</b> has an account, a mail is on its way. Its link
        lets you choose a new password.
      </Banner>
      <Button onClick={() => setSentTo(null)}>Use another address</Button>
    </>
  )
}
