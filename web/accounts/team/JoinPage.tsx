import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { meSchema } from '#core/contract/accounts/account.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { errorSentence } from '#web/api/errors.ts'
import { AuthFrame } from '#web/app/AuthFrame.tsx'
import { PATHS, signInPath } from '#web/paths.ts'
import { useIsIn } from '#web/session/use-is-in.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Spinner } from '#web/ui/wait/Spinner.tsx'
import { invitationQuery } from '#web/api/team.ts'
import { nameMemberRole } from './member-roles.ts'
import { dropInvitation, takeInvitation } from './kept-invitation.ts'

/** The page of an invitation's link. The token survives a sign-in or sign-up in the same tab. */
export function JoinPage() {
  const [token] = useState(takeInvitation)
  const isIn = useIsIn()
  if (token === null)
    return (
      <AuthFrame title="This link is not complete">
        <Banner tone="failure" urgent>
          Open the whole link from the email again, or ask for a new invitation.
        </Banner>
        <Link to={PATHS.auth} className={buttonClass('primary')}>
          Go to sign-in
        </Link>
      </AuthFrame>
    )
  if (isIn === undefined)
    return (
      <AuthFrame title="Your invitation">
        <Spinner label="Opening Leadwire" />
      </AuthFrame>
    )
  return isIn ? <Offer token={token} /> : <SignInFirst />
}

function SignInFirst() {
  return (
    <AuthFrame
      title="Sign in to accept your invitation"
      lead="Use the address that the invitation was sent to. If you confirm a new account in another window, open the invitation’s link again afterwards."
    >
      <Link to={`${signInPath(PATHS.join)}&mode=sign-up`} className={buttonClass('primary')}>
        Create an account
      </Link>
      <Link to={signInPath(PATHS.join)} className={buttonClass('secondary')}>
        Sign in
      </Link>
    </AuthFrame>
  )
}

function Offer({ token }: { token: string }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const offer = useQuery(invitationQuery(token))
  const accept = useMutation({
    mutationFn: () =>
      request(apiPath('account', 'members', 'invitations', 'accept'), meSchema, {
        method: 'POST',
        body: { token },
      }),
    onSuccess: () => {
      dropInvitation()
      // Everything that was loaded belongs to the account before.
      queryClient.clear()
      void navigate(PATHS.dashboard, { replace: true })
    },
  })
  const failure = accept.error ?? offer.error
  if (offer.data === undefined)
    return (
      <AuthFrame title="Your invitation">
        {failure === null ? (
          <Spinner label="Loading your invitation" />
        ) : (
          <>
            <Banner tone="failure" urgent>
              {errorSentence(failure)}
            </Banner>
            <Link to={PATHS.dashboard} className={buttonClass('secondary')}>
              Go to your dashboard
            </Link>
          </>
        )}
      </AuthFrame>
    )
  const { account_name: account, role, invited_by_name: by } = offer.data
  return (
    <AuthFrame
      title={account === '' ? 'Join the account' : `Join ${account}`}
      lead={`${by === null || by === '' ? 'You are invited' : `${by} invites you`} as ${nameMemberRole(role).toLowerCase()}. From then on you work with this account’s leads and balance.`}
    >
      {failure !== null && (
        <Banner tone="failure" urgent>
          {errorSentence(failure)}
        </Banner>
      )}
      <Button variant="primary" asks busy={accept.isPending} onClick={() => accept.mutate()}>
        Join
      </Button>
      <Link to={PATHS.dashboard} className={buttonClass('secondary')}>
        Not now
      </Link>
    </AuthFrame>
  )
}
