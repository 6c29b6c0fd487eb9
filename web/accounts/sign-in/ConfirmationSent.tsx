import { authClient } from '#web/session/auth-client.ts'
import { requestMail } from '#web/session/credentials/request-mail.ts'
import { endCode, startCode } from '#web/session/security/one-time-code.ts'
import { PATHS } from '#web/paths.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { CodeStep } from '../fields/CodeStep.tsx'

export interface ConfirmationSentProps {
  email: string
  /** What led here: a new account, or a sign-in to one whose address nobody has confirmed. */
  title: string
  /** Why no mail is on its way; null where one is. */
  refused?: string | null
  onChangeEmail: () => void
}

const WORDS = {
  submit: 'Confirm with the code',
  submitting: 'Confirming…',
  resend: 'Send the mail again',
  resent: 'The mail is on its way again',
}

/** The account opens by the mail's link or by its code; the mail may be lost, or have gone to a mistyped address. */
export function ConfirmationSent({ email, title, refused = null, onChangeEmail }: ConfirmationSentProps) {
  return (
    <CodeStep
      email={email}
      words={WORDS}
      refused={refused}
      intro={
        <Banner tone="success" title={title}>
          <p>Please check your email and confirm your account</p>
          <p className="mt-1 text-muted">
            The mail goes to <b className="font-medium break-all text-ink">{email}</b>. Open its link, or type
            its code here.
          </p>
        </Banner>
      }
      onResend={(captchaToken) => sendConfirmation(email, captchaToken)}
      onChangeEmail={() => {
        endCode(email)
        onChangeEmail()
      }}
    />
  )
}

/** Sends the mail of a sign-up again. Answers why not; null where it is on its way. */
export async function sendConfirmation(email: string, captchaToken?: string) {
  const options = {
    emailRedirectTo: location.origin + PATHS.dashboard,
    ...(captchaToken === undefined ? {} : { captchaToken }),
  }
  const outcome = await requestMail(
    () => authClient.resend({ type: 'signup', email, options }),
    'The mail could not be sent. Please try again.',
  )
  if (outcome.result === 'refused') return outcome.message
  startCode(email)
  return null
}
