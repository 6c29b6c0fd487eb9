import { z } from 'zod'

/** What a page needs to show a captcha: its script, and the key by which its provider knows the page. */
export const captchaSettingsSchema = z.object({
  provider: z.enum(['hcaptcha', 'turnstile']),
  site_key: z.string(),
  script_url: z.url(),
})
export type CaptchaSettings = z.infer<typeof captchaSettingsSchema>

/** What `GET /settings` of the authentication service says that the product's own screens go by; all of it is public. */
export const authSettingsSchema = z.object({
  /** the providers by name, and the ways `email`, `phone` and `anonymous_users` */
  external: z.record(z.string(), z.boolean()),
  /** ways to sign in may be added and removed by their owner */
  manual_linking: z.boolean().default(false),
  /** the second factors that people may set up */
  mfa_totp: z.boolean().default(true),
  mfa_phone: z.boolean().default(false),
  captcha: captchaSettingsSchema.nullable().default(null),
})
export type AuthSettings = z.infer<typeof authSettingsSchema>

const WAYS = new Set(['email', 'phone', 'anonymous_users'])

/** The names of the providers that the service offers, in its order. */
export function listProviders({ external }: Pick<AuthSettings, 'external'>): string[] {
  return Object.entries(external)
    .filter(([name, isOffered]) => isOffered && !WAYS.has(name))
    .map(([name]) => name)
}
