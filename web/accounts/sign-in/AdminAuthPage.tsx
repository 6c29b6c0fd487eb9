import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, Navigate, useSearchParams } from 'react-router-dom'
import { adminAccessQuery } from '#web/api/admin-access.ts'
import { authSettingsQuery } from '#web/api/auth-settings.ts'
import { authClient } from '#web/session/auth-client.ts'
import { useAuth } from '#web/session/auth-context.ts'
import { readToken } from '#web/session/read-token.ts'
import { AuthFrame } from '#web/app/AuthFrame.tsx'
import { LinkNotice } from '#web/app/LinkNotice.tsx'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { SignInForm } from './SignInForm.tsx'
import { HOME_AFTER_SIGN_IN, PATHS, returnPath } from '#web/paths.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { EnrolSecondFactor } from './EnrolSecondFactor.tsx'
import { HalfSignedIn } from './HalfSignedIn.tsx'

const TITLE = 'Administrator sign-in'
const NOT_AN_ADMINISTRATOR = 'This account is not an administrator’s.'

/** Only the server knows who is an administrator and whether a second factor is needed. */
export function AdminAuthPage() {
  const { session, loading, mfaRequired, passwordReason, endReason } = useAuth()
  const settings = useQuery(authSettingsQuery)
  const [search] = useSearchParams()
  // We sign out a non-administrator only if they signed in on this page.
  const [signedInHere, setSignedInHere] = useState(false)
  const [turnedAway, setTurnedAway] = useState(false)
  const aal = session === null ? 'aal1' : readToken(session.access_token).aal
  const access = useQuery({
    ...adminAccessQuery(session?.user.id ?? '', aal),
    enabled: session !== null && !mfaRequired,
  })

  const mustLeave = signedInHere && access.data === 'closed'
  useEffect(() => {
    if (!mustLeave) return
    void authClient.signOut({ scope: 'local' }).then(() => {
      setTurnedAway(true)
      setSignedInHere(false)
    })
  }, [mustLeave])

  if (session !== null && (mfaRequired || passwordReason !== null)) return <HalfSignedIn />
  if (loading || settings.isPending)
    return (
      <AuthFrame title={TITLE}>
        <CardSkeleton />
      </AuthFrame>
    )
  if (session === null) {
    return (
      <AuthFrame
        title={TITLE}
        lead="For the people who run Leadwire. A second factor is needed."
        footer={
          <Link to={PATHS.auth} className="rounded-sm font-medium text-accent hover:underline">
            I am a client
          </Link>
        }
      >
        {endReason !== null && !turnedAway && <Banner tone="waiting">{endReason}</Banner>}
        <LinkNotice />
        {turnedAway && (
          <Banner tone="failure" urgent title={NOT_AN_ADMINISTRATOR}>
            You were signed out. Clients sign in on the other page.
          </Banner>
        )}
        <SignInForm
          onSignedIn={() => {
            setTurnedAway(false)
            setSignedInHere(true)
          }}
        />
      </AuthFrame>
    )
  }
  if (access.data === 'open')
    return <Navigate to={returnPath(search, location.origin, PATHS.admin)} replace />
  if (access.data === 'second_factor') {
    return (
      <AuthFrame
        title="Set up a second factor"
        lead="Administrators confirm every sign-in with an authenticator app."
      >
        <EnrolSecondFactor />
      </AuthFrame>
    )
  }
  if (access.data === 'closed' && !signedInHere) {
    return (
      <AuthFrame title={TITLE}>
        <Banner tone="failure" title={NOT_AN_ADMINISTRATOR}>
          You are signed in as {session.user.email}.
        </Banner>
        <Link to={HOME_AFTER_SIGN_IN} className={buttonClass('primary')}>
          Back to the app
        </Link>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame title={TITLE}>
      {access.isError ? (
        <LoadFailure
          title="Your access could not be checked."
          error={access.error}
          onRetry={() => void access.refetch()}
        />
      ) : (
        <CardSkeleton />
      )}
    </AuthFrame>
  )
}
