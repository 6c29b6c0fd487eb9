/** The parts of a captcha: its script, and the key by which its provider knows the page. */
export interface CaptchaSettings {
  provider: 'hcaptcha' | 'turnstile'
  site_key: string
  script_url: string
}

/**
 * The settings from `GET /settings` of the authentication service that the product's own screens use; all of it is
 * public.
 */
export interface AuthSettings {
  /** the providers by name, and the methods `email`, `phone` and `anonymous_users` */
  external: Readonly<Record<string, boolean>>
  /** whether users may add and remove their ways to sign in */
  manual_linking: boolean
  /** the second factors that users may set up */
  mfa_totp: boolean
  mfa_phone: boolean
  captcha: CaptchaSettings | null
}

/**
 * Reads the answer; null if it is not valid. Written by hand, because the sign-in screen waits for it and does without
 * schemas, whose library would be a tenth of the screen (docs/decisions/0024).
 */
export function readAuthSettings(answer: unknown): AuthSettings | null {
  if (!isRecord(answer) || !isRecord(answer['external'])) return null
  const { external, manual_linking: linking = false, captcha = null } = answer
  const { mfa_totp: totp = true, mfa_phone: phone = false } = answer
  if (!isAllBoolean(external) || (captcha !== null && !isCaptcha(captcha))) return null
  if (typeof linking !== 'boolean' || typeof totp !== 'boolean' || typeof phone !== 'boolean') return null
  return { external, manual_linking: linking, mfa_totp: totp, mfa_phone: phone, captcha }
}

const WAYS = new Set(['email', 'phone', 'anonymous_users'])

/** The names of the providers that the service offers, in its order. */
export function listProviders({ external }: Pick<AuthSettings, 'external'>): string[] {
  return Object.entries(external)
    .filter(([name, isOffered]) => isOffered && !WAYS.has(name))
    .map(([name]) => name)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isAllBoolean(value: unknown): value is Record<string, boolean> {
  return isRecord(value) && Object.values(value).every((one) => typeof one === 'boolean')
}

function isCaptcha(value: unknown): value is CaptchaSettings {
  if (!isRecord(value)) return false
  const { provider, site_key: key, script_url: url } = value
  const isKnown = provider === 'hcaptcha' || provider === 'turnstile'
  return isKnown && typeof key === 'string' && typeof url === 'string' && URL.canParse(url)
}
