import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { authSettingsQuery } from '#web/api/auth-settings.ts'
import { CaptchaWidget } from './CaptchaWidget.tsx'

/** Shown without a request to the service. */
const UNSOLVED = 'Please confirm first that you are human.'

export interface Captcha {
  /** The captcha, to be placed above the form's button; null if none is required. */
  field: ReactNode
  /** The captcha token; undefined without one. */
  token: string | undefined
  /** The reason not to send the request yet; null if it can be sent. */
  refusal: string | null
  /** Gets a new token; call it after each request, because a token is valid once. */
  renew: () => void
}

/** State of the captcha, if the service requires one (AUTH_CAPTCHA_*). */
export function useCaptcha(): Captcha {
  const settings = useQuery(authSettingsQuery).data?.captcha ?? null
  const [token, setToken] = useState<string | null>(null)
  const [round, setRound] = useState(0)
  return {
    field: settings === null ? null : <CaptchaWidget key={round} settings={settings} onToken={setToken} />,
    token: token ?? undefined,
    refusal: settings !== null && token === null ? UNSOLVED : null,
    renew: () => {
      setToken(null)
      setRound(round + 1)
    },
  }
}
