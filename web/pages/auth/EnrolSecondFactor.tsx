import { useAuth } from '../../auth/auth-context.ts'
import { EnrolTotp } from '../../forms/account/EnrolTotp.tsx'
import { useTotpEnrolment } from '../../forms/account/use-totp-enrolment.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Button } from '../../ui/Button.tsx'

/** The first second factor of an administrator. */
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
