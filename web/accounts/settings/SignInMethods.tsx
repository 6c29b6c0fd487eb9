import type { UserIdentity } from '@supabase/auth-js'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { listProviders } from '#core/contract/accounts/auth-settings.ts'
import { auditQuery, identitiesQuery, passwordQuery } from '../account-queries.ts'
import { authSettingsQuery } from '#web/api/auth-settings.ts'
import { authClient } from '#web/session/auth-client.ts'
import { describeAccountError } from '#web/session/credentials/describe-account-error.ts'
import { beginProviderLink } from '#web/session/providers/provider-flow.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { providerName } from '#web/format/provider-name.ts'
import { settingsPath } from '#web/paths.ts'
import { AlertDialog } from '#web/ui/overlay/AlertDialog.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { IdentityRow } from './IdentityRow.tsx'
import { RefusalText } from '../fields/RefusalText.tsx'

/** Lists the account's identities: its address, its phone and its accounts at providers. */
export function SignInMethods() {
  const queryClient = useQueryClient()
  const identities = useQuery(identitiesQuery)
  const settings = useQuery(authSettingsQuery)
  const [target, setTarget] = useState<UserIdentity | null>(null)
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const card = useRef<HTMLElement>(null)

  const hasTarget = (list: readonly UserIdentity[] = []) =>
    list.some(({ identity_id: id }) => id === target?.identity_id)
  const link = async (provider: string) => {
    setBusy(provider)
    setRefusal(null)
    setRefusal(await beginProviderLink(provider, settingsPath('security')))
    setBusy(null)
  }
  const unlink = async () => {
    if (target === null) return
    setBusy(target.identity_id)
    const { error } = await authClient.unlinkIdentity(target)
    // Unlinking may also remove the address or the phone.
    if (error === null) await authClient.refreshSession()
    for (const { queryKey } of [passwordQuery, auditQuery]) void queryClient.invalidateQueries({ queryKey })
    const { data } = await identities.refetch()
    setBusy(null)
    // The question closes when the identity is gone from the list. Only then can the focus move to what is
    // left.
    if (hasTarget(data)) setAsked(false)
    if (error === null) toast.success(`${providerName(target.provider)} is unlinked`)
    else toast.error(describeAccountError(error))
  }

  if (identities.isError && identities.data === undefined) {
    return (
      <LoadFailure
        title="Your sign-in methods could not be loaded."
        error={identities.error}
        onRetry={() => void identities.refetch()}
      />
    )
  }
  if (identities.data === undefined || settings.isPending) return <CardSkeleton />
  const mayChange = settings.data?.manual_linking ?? false
  const linked = new Set(identities.data.map(({ provider }) => provider))
  const others =
    settings.data === undefined ? [] : listProviders(settings.data).filter((name) => !linked.has(name))
  return (
    <Card ref={card} tabIndex={-1} title="Sign-in methods" className="outline-none">
      <div className="flex flex-col gap-4">
        {identities.data.length === 0 ? (
          <p className="text-sm text-muted">None yet.</p>
        ) : (
          <ul aria-label="Sign-in methods" className="flex flex-col divide-y divide-line">
            {identities.data.map((identity) => (
              <IdentityRow
                key={identity.identity_id}
                identity={identity}
                isOnly={identities.data.length === 1}
                mayUnlink={mayChange}
                onUnlink={() => {
                  setTarget(identity)
                  setAsked(true)
                }}
              />
            ))}
          </ul>
        )}
        <RefusalText text={refusal} />
        {mayChange && others.length > 0 && (
          <div className="flex flex-wrap gap-2">
            {others.map((provider) => (
              <Button
                key={provider}
                className="max-w-full"
                busy={busy === provider}
                onClick={() => void link(provider)}
              >
                <span className="truncate">Link {providerName(provider)}</span>
              </Button>
            ))}
          </div>
        )}
      </div>
      <AlertDialog
        open={asked && hasTarget(identities.data)}
        onOpenChange={setAsked}
        title={`Unlink ${providerName(target?.provider ?? '')}?`}
        description={
          target?.provider === 'email'
            ? 'This also removes your password, and you can no longer sign in with this address.'
            : 'You can no longer sign in with it. Your account and its leads stay.'
        }
        confirmLabel={busy === null ? 'Unlink' : 'Unlinking…'}
        busy={busy !== null}
        finalFocus={() => (hasTarget(identities.data) ? null : card.current)}
        onConfirm={() => void unlink()}
      />
    </Card>
  )
}
