import type { UserIdentity } from '@supabase/auth-js'
import { KeyRound, Mail, Smartphone } from 'lucide-react'
import { providerName } from '#web/format/provider-name.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'

const ICONS: Readonly<Record<string, typeof Mail>> = { email: Mail, phone: Smartphone }

export interface IdentityRowProps {
  identity: UserIdentity
  /** True if this is the account's only identity. */
  isOnly: boolean
  mayUnlink: boolean
  onUnlink: () => void
}

/** Shows one identity of the account. */
export function IdentityRow({ identity, isOnly, mayUnlink, onUnlink }: IdentityRowProps) {
  const { provider, identity_data: about, created_at: addedAt } = identity
  const Icon = ICONS[provider] ?? KeyRound
  const name = providerName(provider)
  const address: unknown = about?.['email'] ?? about?.['phone'] ?? about?.['name']
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5 first:pt-0 last:pb-0">
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 basis-24">
        <p className="truncate text-sm font-medium">{name}</p>
        <p className="text-xs break-words text-muted">
          {typeof address === 'string' && address !== '' && <span>{address} · </span>}
          {addedAt !== undefined && (
            <>
              added <RelativeTime at={addedAt} />
            </>
          )}
        </p>
        {mayUnlink && isOnly && (
          <p className="mt-0.5 text-xs text-muted">
            Your only way to sign in, so it cannot be unlinked. Link another first.
          </p>
        )}
      </div>
      {mayUnlink && !isOnly && (
        <Button size="sm" aria-label={`Unlink ${name}`} onClick={onUnlink}>
          Unlink
        </Button>
      )}
    </li>
  )
}
