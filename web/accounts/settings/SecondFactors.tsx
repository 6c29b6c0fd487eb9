import type { Factor } from '@supabase/auth-js'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MessageSquare, Smartphone } from 'lucide-react'
import { useRef, useState } from 'react'
import { auditQuery, recoveryCodesQuery, sessionsQuery } from '../account-queries.ts'
import { authSettingsQuery } from '#web/api/auth-settings.ts'
import { authClient } from '#web/session/auth-client.ts'
import { useAuth } from '#web/session/auth-context.ts'
import { describeAccountError } from '#web/session/credentials/describe-account-error.ts'
import { EnrolPhone } from '../factors/EnrolPhone.tsx'
import { EnrolTotp } from '../factors/EnrolTotp.tsx'
import { RecoveryCodes } from '../factors/RecoveryCodes.tsx'
import { factorPhone, nameFactor } from '../factors/name-factor.ts'
import { phoneEnding } from '../fields/phone-rule.ts'
import { useTotpEnrolment } from '../factors/use-totp-enrolment.ts'
import { AlertDialog } from '#web/ui/overlay/AlertDialog.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { RefusalText } from '../fields/RefusalText.tsx'

/** Two-factor sign-in: the account's authenticator apps and phones. */
export function SecondFactors() {
  const { user } = useAuth()
  const queryClient = useQueryClient()
  const factors = (user?.factors ?? []).filter(({ status }) => status === 'verified')
  const { enrolment, refusal, busy, begin, cancel, done } = useTotpEnrolment()
  const settings = useQuery(authSettingsQuery).data
  const [addsPhone, setAddsPhone] = useState(false)
  // The set-up that just ended. The focus returns to the button that began it.
  const [ended, setEnded] = useState<'app' | 'phone' | null>(null)
  const card = useRef<HTMLElement>(null)
  const [asked, setAsked] = useState(false)
  const [target, setTarget] = useState<(typeof factors)[number] | null>(null)
  const [removing, setRemoving] = useState(false)

  // Refreshes the lists below on the same screen.
  const showChange = () => {
    void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    void queryClient.invalidateQueries({ queryKey: auditQuery.queryKey })
    void queryClient.invalidateQueries({ queryKey: recoveryCodesQuery.queryKey })
  }
  const verified = (what: 'app' | 'phone') => {
    setEnded(what)
    done()
    setAddsPhone(false)
    showChange()
    toast.success('Two-factor sign-in is on')
  }
  const remove = async () => {
    if (target === null) return
    setRemoving(true)
    const { error } = await authClient.mfa.unenroll({ factorId: target.id })
    // The session falls back to one factor, but its token still names the removed one.
    if (error === null) await authClient.refreshSession()
    setRemoving(false)
    setAsked(false)
    showChange()
    if (error === null) toast.success('The second factor is removed')
    else toast.error(describeAccountError(error))
  }

  const isOffered = settings === undefined || settings.mfa_totp || settings.mfa_phone
  if (!isOffered && factors.length === 0) return null
  return (
    <Card
      ref={card}
      tabIndex={-1}
      className="outline-none"
      title="Two-factor sign-in"
      actions={
        <Badge tone={factors.length > 0 ? 'success' : 'neutral'}>{factors.length > 0 ? 'On' : 'Off'}</Badge>
      }
    >
      <div className="flex flex-col gap-4">
        {factors.length === 0 && (
          <p className="text-sm text-muted">
            With a second factor, your password alone is not enough to sign in: a code from your phone is
            needed too.
          </p>
        )}
        {factors.length > 0 && (
          <ul className="flex flex-col divide-y divide-line">
            {factors.map((factor) => (
              <li key={factor.id} className="flex items-center gap-3 py-2 first:pt-0">
                <FactorIcon type={factor.factor_type} />
                <div className="min-w-0 flex-1">
                  <p className="truncate text-sm font-medium">{nameFactor(factor)}</p>
                  <p className="text-xs text-muted">
                    {describePhone(factor)}added <RelativeTime at={factor.created_at} />
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
        <RefusalText text={refusal} />
        {enrolment !== null ? (
          <EnrolTotp
            enrolment={enrolment}
            onVerified={() => verified('app')}
            onCancel={() => {
              setEnded('app')
              void cancel()
            }}
          />
        ) : addsPhone ? (
          <EnrolPhone
            onVerified={() => verified('phone')}
            onCancel={() => {
              setEnded('phone')
              setAddsPhone(false)
            }}
          />
        ) : (
          <div className="flex flex-wrap gap-2">
            {(settings?.mfa_totp ?? true) && (
              <Button
                busy={busy}
                autoFocus={ended === 'app'}
                variant={factors.length === 0 ? 'primary' : 'secondary'}
                onClick={() => void begin()}
              >
                {factors.length === 0 ? 'Set up an authenticator app' : 'Add another app'}
              </Button>
            )}
            {settings?.mfa_phone === true && (
              <Button autoFocus={ended === 'phone'} onClick={() => setAddsPhone(true)}>
                Add a phone
              </Button>
            )}
          </div>
        )}
        {factors.length > 0 && enrolment === null && !addsPhone && <RecoveryCodes />}
      </div>
      <AlertDialog
        open={asked}
        onOpenChange={setAsked}
        title="Remove this second factor?"
        description={
          factors.length > 1
            ? `Codes of “${target === null ? '' : nameFactor(target)}” will no longer be accepted.`
            : 'Your password alone will be enough to sign in.'
        }
        confirmLabel={removing ? 'Removing…' : 'Remove'}
        busy={removing}
        finalFocus={() => (factors.some(({ id }) => id === target?.id) ? null : card.current)}
        onConfirm={() => void remove()}
      />
    </Card>
  )
}

function describePhone(factor: Factor) {
  const phone = factorPhone(factor)
  return phone === undefined ? null : `${phoneEnding(phone)} · `
}

function FactorIcon({ type }: { type: string }) {
  const Icon = type === 'phone' ? MessageSquare : Smartphone
  return <Icon aria-hidden className="size-4 shrink-0 text-muted" />
}
