import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { authSettingsQuery } from '#web/api/auth-settings.ts'
import { CaptchaWidget } from './CaptchaWidget.tsx'

/** Said before the service is asked. */
const UNSOLVED = 'Please confirm first that you are human.'

export interface Captcha {
  /** Stands in the form above its button; null where no captcha is asked. */
  field: ReactNode
  /** The proof; undefined where there is none. */
  token: string | undefined
  /** Why there is no use in asking the service; null where there is. */
  refusal: string | null
  /** To be called once the proof was used, whatever came of it: it is good once. */
  renew: () => void
}

/** The captcha that the service asks for, if it does (AUTH_CAPTCHA_*). */
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
