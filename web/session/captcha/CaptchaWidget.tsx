import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { CaptchaSettings } from '#core/contract/accounts/auth-settings.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { loadCaptcha } from './load-captcha.ts'

export interface CaptchaWidgetProps {
  settings: CaptchaSettings
  /** Receives the captcha token; null once it has expired. */
  onToken: (token: string | null) => void
}

/** The provider's captcha widget. Change its `key` for a new one, because a token is valid once. */
export function CaptchaWidget({ settings, onToken }: CaptchaWidgetProps) {
  const container = useRef<HTMLDivElement>(null)
  const [round, setRound] = useState(0)
  const [failed, setFailed] = useState(false)
  const tell = useEffectEvent(onToken)

  useEffect(() => {
    let remove: (() => void) | undefined
    let isGone = false
    loadCaptcha(settings).then(
      (api) => {
        if (isGone || container.current === null) return
        const widget = api.render(container.current, {
          sitekey: settings.site_key,
          theme: isDark() ? 'dark' : 'light',
          callback: (token) => tell(token),
          'expired-callback': () => tell(null),
          'error-callback': () => tell(null),
        })
        remove = () => api.remove(widget)
      },
      () => {
        if (!isGone) setFailed(true)
      },
    )
    return () => {
      isGone = true
      remove?.()
    }
  }, [settings, round])

  return (
    <div role="group" aria-label="Check that you are human">
      {/* Has the height of the higher widget, so that nothing jumps. */}
      <div ref={container} className={failed ? 'hidden' : 'min-h-[78px]'} />
      {failed && (
        <div className="flex min-h-[78px] items-center justify-between gap-3 rounded-lg border border-line bg-sunken px-4 py-3 text-sm">
          The check that you are human could not be loaded. Something may block it.
          <Button
            size="sm"
            onClick={() => {
              setFailed(false)
              setRound(round + 1)
            }}
          >
            Try Again
          </Button>
        </div>
      )}
    </div>
  )
}

function isDark() {
  const { theme } = document.documentElement.dataset
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
}
