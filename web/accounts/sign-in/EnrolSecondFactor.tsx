import { useAuth } from '#web/session/auth-context.ts'
import { EnrolTotp } from '../factors/EnrolTotp.tsx'
import { useTotpEnrolment } from '../factors/use-totp-enrolment.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Button } from '#web/ui/action/Button.tsx'

/** Sets up an administrator's first second factor. */
export function EnrolSecondFactor() {
  const { signOut } = useAuth()
  const { enrolment, refusal, busy, begin, done } = useTotpEnrolment()
  return (
    <>
      {refusal !== null && (
        <Banner tone="failure" urgent>
          {refusal}
        </Banner>
      )}
      {enrolment === null ? (
        <Button variant="primary" busy={busy} onClick={() => void begin()}>
          Set up an authenticator app
        </Button>
      ) : (
        <EnrolTotp enrolment={enrolment} onVerified={done} />
      )}
      <Button variant="quiet" onClick={() => void signOut()}>
        Use another account
      </Button>
    </>
  )
}
