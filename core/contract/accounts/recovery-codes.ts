import { z } from 'zod'

/** How many there are of them; who has used most of them makes new ones. */
export const RECOVERY_CODES = 10
/** letters and digits of one, without its dash */
export const RECOVERY_CODE_LENGTH = 10

/** `GET /api/v1/me/recovery-codes` */
export const recoveryCodesLeftSchema = z.object({
  left: z.int(),
  /** null where none were made */
  created_at: z.string().nullable(),
})
export type RecoveryCodesLeft = z.infer<typeof recoveryCodesLeftSchema>

/** `POST /api/v1/me/recovery-codes`: shown this once. */
export const recoveryCodesSchema = z.object({ codes: z.array(z.string()).length(RECOVERY_CODES) })

/** Channel of a challenge that a recovery code answers: the phone that is lost is sent no message. */
export const RECOVERY_CHANNEL = 'recovery'
