import { z } from 'zod'

/**
 * Header of the authentication service's 429 that names the limit which was met. Its error codes are those of the
 * client library, and one of them stands for several limits.
 */
export const LIMIT_HEADER = 'Leadwire-Limit'

/**
 * `failed_attempts`: too many wrong passwords or codes for one account. `send_gap`: a mail or message was sent there a
 * moment ago. `request_rate`, `send_rate`: the limits of one network's requests, and of what the whole service may
 * send.
 */
export const limitSchema = z.enum(['failed_attempts', 'send_gap', 'request_rate', 'send_rate'])
export type Limit = z.infer<typeof limitSchema>
