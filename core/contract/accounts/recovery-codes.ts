import { z } from 'zod'

/** Number of codes; users who have used most of them make new ones. */
export const RECOVERY_CODES = 10
/** letters and digits of a code, without its dash */
export const RECOVERY_CODE_LENGTH = 10

/** `GET /api/v1/me/recovery-codes` */
export const recoveryCodesLeftSchema = z.object({
  left: z.int(),
  /** null if none were made */
  created_at: z.string().nullable(),
})

/** `POST /api/v1/me/recovery-codes`: the codes, shown only in this answer. */
export const recoveryCodesSchema = z.object({ codes: z.array(z.string()).length(RECOVERY_CODES) })

/** Channel of a challenge that a recovery code answers: no message is sent to the lost phone. */
export const RECOVERY_CHANNEL = 'recovery'
