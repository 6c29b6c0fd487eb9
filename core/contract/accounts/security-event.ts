import { z } from 'zod'
import { namedValues } from '../named-values.ts'

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

/** docs/product.md §9, security event severities; every other type is medium. */
const SEVERITY_OF: Readonly<Record<string, Severity>> = {
  login_success: 'low',
  logout: 'low',
  failed_login: 'medium',
  password_change: 'medium',
  session_timeout: 'medium',
  mfa_failure: 'high',
  force_logout: 'high',
  suspicious_request: 'high',
  security_alert: 'critical',
}

/** The severity of events of this type, whatever the sender says. */
export function severityOf(type: string): Severity {
  return Object.hasOwn(SEVERITY_OF, type) ? (SEVERITY_OF[type] ?? 'medium') : 'medium'
}

/** docs/product.md §9: this number of events of a type within {@link ALERT_WINDOW_MS} raises a `security_alert`. */
export const ALERT_THRESHOLDS: Readonly<Record<string, number>> = {
  failed_login: 5,
  password_change: 2,
  suspicious_request: 10,
}
export const ALERT_WINDOW_MS = 5 * 60_000

/** docs/product.md §9: limit of stored security events. */
export const MOST_SECURITY_EVENTS = 1000

/** A browser's report to the function security-monitoring (docs/product.md §3, security event). */
export const securityEventSchema = z.object({
  id: z.uuid(),
  type: z.string().regex(/^[a-z][a-z_]{0,63}$/, 'Must be a word in snake_case'),
  timestamp: z.iso.datetime(),
  userAgent: z.string().max(400),
  url: z.string().max(2000),
  details: namedValues(
    z.string().max(64),
    z.union([z.string().max(500), z.number(), z.boolean(), z.null()]),
    { refusal: 'This name cannot be used' },
  ),
  severity: z.enum(SEVERITIES),
})
export type SecurityEvent = z.infer<typeof securityEventSchema>
