import { z } from 'zod'

/**
 * Header of the authentication service's 429: which limit was met. Its error codes are the client library's, and one of them
 * stands for several limits.
 */
export const LIMIT_HEADER = 'Leadwire-Limit'

/**
 * `failed_attempts`: too many wrong passwords or codes for one account. `send_gap`: a mail or message went there a moment ago.
 * `request_rate`, `send_rate`: what one network may ask for, or the whole service may send.
 */
export const limitSchema = z.enum(['failed_attempts', 'send_gap', 'request_rate', 'send_rate'])
export type Limit = z.infer<typeof limitSchema>
