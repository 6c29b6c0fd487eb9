import { listProviders, type AuthSettings } from '#core/contract/accounts/auth-settings.ts'
import { fetchPart } from '#web/app/reload-when-stale.ts'
import { providerName } from '#web/format/provider-name.ts'
import { friendlyWords } from '#web/session/credentials/friendly-message.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { toast } from '#web/ui/overlay/toast.ts'

export interface ProviderButtonsProps {
  settings: AuthSettings | undefined
  /** Path on this origin that reads the provider's answer. */
  path: string
}

/** Buttons to sign in through a provider; nothing if the service offers none. */
export function ProviderButtons({ settings, path }: ProviderButtonsProps) {
  const providers = settings === undefined ? [] : listProviders(settings)
  if (providers.length === 0) return null
  return (
    <div className="flex flex-col gap-2">
      <p className="flex items-center gap-3 text-xs text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {providers.map((provider) => (
        <Button
          key={provider}
          className="min-w-0 shrink"
          asks
          onClick={() => void beginSignIn(provider, path)}
        >
          <span className="truncate">Continue with {providerName(provider)}</span>
        </Button>
      ))}
    </div>
  )
}

/** The auth client is loaded at the first touch, and this code with it. */
async function beginSignIn(provider: string, path: string) {
  try {
    const { beginProviderSignIn } = await fetchPart(() => import('#web/session/providers/provider-flow.ts'))
    await beginProviderSignIn(provider, path)
  } catch {
    toast.error(friendlyWords('network'))
  }
}
