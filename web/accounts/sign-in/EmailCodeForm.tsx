import { useState } from 'react'
import { authClient } from '#web/session/auth-client.ts'
import { requestMail } from '#web/session/credentials/request-mail.ts'
import { endCode, findWaitingEmail, startCode } from '#web/session/security/one-time-code.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { CodeStep } from '../fields/CodeStep.tsx'
import { EmailStep } from '../fields/EmailStep.tsx'

export interface EmailCodeFormProps {
  email: string
  onEmail: (email: string) => void
  /** Path on this origin that the mail's link leads to. */
  redirectPath: string
}

const WORDS = {
  submit: 'Sign in with the code',
  submitting: 'Signing in…',
  resend: 'Send a new code',
  resent: 'A new code is on its way',
}

/** Signs in without a password, by the link or the six-digit code of a mail. */
export function EmailCodeForm({ email, onEmail, redirectPath }: EmailCodeFormProps) {
  // After a reload the form still asks for the code.
  const [sentTo, setSentTo] = useState(findWaitingEmail)

  const send = async (address: string, captchaToken?: string) => {
    // No account is made here, because a mistyped address must not become a new client.
    const options = {
      shouldCreateUser: false,
      emailRedirectTo: location.origin + redirectPath,
      ...(captchaToken === undefined ? {} : { captchaToken }),
    }
    const outcome = await requestMail(
      () => authClient.signInWithOtp({ email: address, options }),
      'Failed to send OTP. Please try again.',
    )
    if (outcome.result === 'refused') return outcome.message
    startCode(address)
    setSentTo(address)
    return null
  }

  if (sentTo === null) {
    return (
      <EmailStep
        email={email}
        onEmail={onEmail}
        label="Email me a link and a code"
        busyLabel="Sending…"
        onSubmit={send}
      />
    )
  }
  return (
    <CodeStep
      email={sentTo}
      words={WORDS}
      intro={
        <Banner tone="info" title="Look into your mailbox">
          If <b className="font-medium break-all">{sentTo}</b> has an account, a mail with a link and a code
          is on its way. Open the link, or type the code here.
        </Banner>
      }
      onResend={(captchaToken) => send(sentTo, captchaToken)}
      onChangeEmail={() => {
        endCode(sentTo)
        setSentTo(null)
      }}
    />
  )
}
