import { z } from 'zod'
import { securityEventSchema } from './security-event.ts'

/** What a server function answers, always with 200: functions-js hides the body of every other status. */
export const functionResultSchema = z.object({
  success: z.boolean(),
  message: z.string(),
  /** why not; null where it succeeded */
  error: z.string().nullable(),
})
export type FunctionResult = z.infer<typeof functionResultSchema>

/**
 * Body of `send-otp-email` (docs/product.md §7). `otp` is taken and not looked at: the server draws its own code, or anybody could send
 * any text to anybody in our name.
 */
export const sendOtpSchema = z.object({ email: z.string(), otp: z.unknown().optional() })

/** Body of `verify-otp`, which judges the code where it was drawn. */
export const verifyOtpSchema = z.object({ email: z.string(), otp: z.string().max(100) })

/** Body of `create-secure-account` (docs/product.md §7). */
export const createSecureAccountSchema = z.object({
  email: z.string(),
  password: z.string(),
  /** of the captcha, where the service asks for one */
  captcha_token: z.string().max(10_000).optional(),
})

/**
 * `code`: that of the authentication service for the same refusal; null where it succeeded. `confirmation_required`: a mail is on its way; otherwise the account can be signed in to at once. `direct_sign_up`: nothing was
 * done, this account signs up at the authentication service itself (docs/product.md §6, `BYPASS_ACCOUNTS`).
 */
export const createSecureAccountResultSchema = functionResultSchema.extend({
  code: z.string().nullable(),
  confirmation_required: z.boolean(),
  direct_sign_up: z.boolean(),
})
export type CreateSecureAccountResult = z.infer<typeof createSecureAccountResultSchema>

/** Body of `account-exemption`: the address that somebody is about to sign in or up with. */
export const accountExemptionSchema = z.object({ email: z.string() })

/** `exempt`: one of `BYPASS_ACCOUNTS`, which pass the browser's anti-forgery check, and its block at sign-up (docs/product.md §6). */
export const accountExemptionResultSchema = functionResultSchema.extend({ exempt: z.boolean() })
export type AccountExemptionResult = z.infer<typeof accountExemptionResultSchema>

/** Body of `security-monitoring` (docs/product.md §7). */
export const securityMonitoringSchema = z.object({
  event: securityEventSchema.extend({
    details: securityEventSchema.shape.details.refine((details) => Object.keys(details).length <= 20, {
      error: 'At most 20 members',
    }),
  }),
})
export type SecurityMonitoring = z.infer<typeof securityMonitoringSchema>
