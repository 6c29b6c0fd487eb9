import { useAuth } from '#web/session/auth-context.ts'
import { EnrolTotp } from '../factors/EnrolTotp.tsx'
import { useTotpEnrolment } from '../factors/use-totp-enrolment.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { RefusalText } from '../fields/RefusalText.tsx'

/** Sets up an administrator's first second factor. */
export function EnrolSecondFactor() {
  const { signOut } = useAuth()
  const { enrolment, refusal, busy, begin, done } = useTotpEnrolment()
  return (
    <>
      <RefusalText text={refusal} />
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
