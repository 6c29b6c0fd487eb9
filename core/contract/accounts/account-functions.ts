import { z } from 'zod'
import { securityEventSchema } from './security-event.ts'

/**
 * The answer of a server function, always with status 200, because functions-js hides the body of every other status.
 */
export const functionResultSchema = z.object({
  success: z.boolean(),
  message: z.string(),
  /** the reason of a refusal; null if it succeeded */
  error: z.string().nullable(),
})
export type FunctionResult = z.infer<typeof functionResultSchema>

/**
 * Body of `send-otp-email` (docs/product.md §7). `otp` is accepted and ignored: the server draws its own code.
 * Otherwise anybody could send any text to anybody in our name.
 */
export const sendOtpSchema = z.object({ email: z.string(), otp: z.unknown().optional() })

/** Body of `verify-otp`, which checks the code. */
export const verifyOtpSchema = z.object({ email: z.string(), otp: z.string().max(100) })

/** Body of `create-secure-account` (docs/product.md §7). */
export const createSecureAccountSchema = z.object({
  email: z.string(),
  password: z.string(),
  /** the captcha's token, if the service asks for one */
  captcha_token: z.string().max(10_000).optional(),
})

/**
 * `code`: the authentication service's code for the same refusal; null if it succeeded. `confirmation_required`: a mail
 * is on its way; otherwise the account can be signed in to at once. `direct_sign_up`: nothing was done, because this
 * account signs up at the authentication service itself (docs/product.md §6, `BYPASS_ACCOUNTS`).
 */
export const createSecureAccountResultSchema = functionResultSchema.extend({
  code: z.string().nullable(),
  confirmation_required: z.boolean(),
  direct_sign_up: z.boolean(),
})
export type CreateSecureAccountResult = z.infer<typeof createSecureAccountResultSchema>

/** Body of `account-exemption`: the address with which somebody is about to sign in or up. */
export const accountExemptionSchema = z.object({ email: z.string() })

/**
 * `exempt`: whether it is one of `BYPASS_ACCOUNTS`, which skip the browser's anti-forgery check and its block at
 * sign-up (docs/product.md §6).
 */
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
