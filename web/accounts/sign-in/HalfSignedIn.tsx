import { useAuth } from '#web/session/auth-context.ts'
import { AuthFrame } from '#web/app/AuthFrame.tsx'
import { SecondFactorForm } from './SecondFactorForm.tsx'
import { SetPasswordForm } from './SetPasswordForm.tsx'
import { Button } from '#web/ui/action/Button.tsx'

/** Asks a signed-in user for what the app still needs: first the second factor, then a new password. */
export function HalfSignedIn() {
  const { user, mfaRequired, passwordReason, signOut } = useAuth()
  const title = mfaRequired
    ? 'Confirm that it is you'
    : passwordReason === 'invite'
      ? 'Choose a password'
      : 'Choose a new password'
  return (
    <AuthFrame
      title={title}
      lead={user?.email ? `Signed in as ${user.email}` : undefined}
      footer={
        <Button size="sm" variant="quiet" onClick={() => void signOut()}>
          Use another account
        </Button>
      }
    >
      {mfaRequired ? <SecondFactorForm /> : <SetPasswordForm />}
    </AuthFrame>
  )
}
