import { authClient } from '#web/session/auth-client.ts'
import { requestMail } from '#web/session/credentials/request-mail.ts'
import { endCode, startCode } from '#web/session/security/one-time-code.ts'
import { PATHS } from '#web/paths.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { CodeStep } from '../fields/CodeStep.tsx'

export interface ConfirmationSentProps {
  email: string
  /** The reason for the screen: a new account, or a sign-in to an account with an unconfirmed address. */
  title: string
  /** The reason why no mail was sent; null if one was sent. */
  refused?: string | null
  onChangeEmail: () => void
}

const WORDS = {
  submit: 'Confirm with the code',
  submitting: 'Confirming…',
  resend: 'Send the mail again',
  resent: 'The mail is on its way again',
}

/**
 * The link or the code of the mail opens the account. The user can ask for another mail or correct the
 * address.
 */
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

/** Sends the confirmation mail again. Returns the reason if it was not sent, otherwise null. */
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
