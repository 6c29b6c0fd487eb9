import { listProviders, type AuthSettings } from '#core/contract/accounts/auth-settings.ts'
import { beginProviderSignIn } from '#web/session/providers/provider-flow.ts'
import { providerName } from '#web/format/provider-name.ts'
import { Button } from '#web/ui/action/Button.tsx'

export interface ProviderButtonsProps {
  settings: AuthSettings | undefined
  /** Where the provider's answer is read, on this origin. */
  path: string
}

/** Signing in by another company's account; nothing where the service offers none. */
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
          onClick={() => void beginProviderSignIn(provider, path)}
        >
          <span className="truncate">Continue with {providerName(provider)}</span>
        </Button>
      ))}
    </div>
  )
}
