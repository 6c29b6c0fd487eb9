import { useQueryClient } from '@tanstack/react-query'
import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import { auditQuery, sessionsQuery } from '../../api/account.ts'
import { authClient } from '../../auth/auth-client.ts'
import { useAuth } from '../../auth/auth-context.ts'
import { describeAccountError } from '../../auth/describe-account-error.ts'
import { EnrolTotp } from '../../forms/account/EnrolTotp.tsx'
import { nameFactor } from '../../forms/account/name-factor.ts'
import { useTotpEnrolment } from '../../forms/account/use-totp-enrolment.ts'
import { AlertDialog } from '../../ui/AlertDialog.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Banner } from '../../ui/Banner.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { toast } from '../../ui/toast.ts'

/** Two-factor sign-in: the authenticator apps of the account. */
export function SecondFactors() {
  const { user } = useAuth()
  const queryClient = useQueryClient()
  const factors = (user?.factors ?? []).filter(({ status }) => status === 'verified')
  const { enrolment, refusal, busy, begin, cancel, done } = useTotpEnrolment()
  const [asked, setAsked] = useState(false)
  const [target, setTarget] = useState<(typeof factors)[number] | null>(null)
  const [removing, setRemoving] = useState(false)

  // What stands below on the same screen: this session's factors, and what was done.
  const showChange = () => {
    void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    void queryClient.invalidateQueries({ queryKey: auditQuery.queryKey })
  }
  const verified = () => {
    done()
    showChange()
    toast.success('Two-factor sign-in is on')
  }
  const remove = async () => {
    if (target === null) return
    setRemoving(true)
    const { error } = await authClient.mfa.unenroll({ factorId: target.id })
    // The session falls back to one factor, and its token still names the old one.
    if (error === null) await authClient.refreshSession()
    setRemoving(false)
    setAsked(false)
    showChange()
    if (error === null) toast.success('The second factor is removed')
    else toast.error(describeAccountError(error))
  }

  return (
    <Card
      title="Two-factor sign-in"
      actions={
        <Badge tone={factors.length > 0 ? 'success' : 'neutral'}>{factors.length > 0 ? 'On' : 'Off'}</Badge>
      }
    >
      <div className="flex flex-col gap-4">
        {factors.length === 0 && (
          <p className="text-sm text-muted">
            With a second factor nobody can sign in with your password alone: a code from an app on your phone
            is asked for, too.
          </p>
        )}
        {factors.length > 0 && (
          <ul className="flex flex-col divide-y divide-line">
            {factors.map((factor) => (
              <li key={factor.id} className="flex items-center gap-3 py-2 first:pt-0">
                <Smartphone aria-hidden className="size-4 shrink-0 text-muted" />
                <div className="min-w-0 flex-1">
                  <p className="truncate text-sm font-medium">{nameFactor(factor)}</p>
                  <p className="text-xs text-muted">
                    Added <RelativeTime at={factor.created_at} />
                  </p>
                </div>
                <Button
                  size="sm"
                  aria-label={`Remove ${nameFactor(factor)}`}
                  onClick={() => {
                    setTarget(factor)
                    setAsked(true)
                  }}
                >
                  Remove
                </Button>
              </li>
            ))}
          </ul>
        )}
        {refusal !== null && (
          <Banner tone="failure" urgent>
            {refusal}
          </Banner>
        )}
        {enrolment === null ? (
          <Button
            busy={busy}
            className="self-start"
            variant={factors.length === 0 ? 'primary' : 'secondary'}
            onClick={() => void begin()}
          >
            {factors.length === 0 ? 'Set up an authenticator app' : 'Add another app'}
          </Button>
        ) : (
          <EnrolTotp enrolment={enrolment} onVerified={verified} onCancel={() => void cancel()} />
        )}
      </div>
      <AlertDialog
        open={asked}
        onOpenChange={setAsked}
        title="Remove this second factor?"
        description={
          factors.length > 1
            ? `Codes of “${target === null ? '' : nameFactor(target)}” will no longer be taken.`
            : 'Your password alone will be enough to sign in.'
        }
        confirmLabel={removing ? 'Removing…' : 'Remove'}
        busy={removing}
        onConfirm={() => void remove()}
      />
    </Card>
  )
}
