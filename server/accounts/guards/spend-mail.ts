import { AppError } from '#core/errors.ts'
import type { ServerContext } from '#server/context.ts'
import { answerRefusals } from '../functions/answer-refusals.ts'

/**
 * Counts a mail that a person of the product has sent to somebody else.
 * @param share whose share of the hour's mails it uses too; left out for administrators
 * @throws AppError rate_limited
 */
export async function spendMail(
  { accounts }: Pick<ServerContext, 'accounts'>,
  share?: string,
): Promise<void> {
  await answerRefusals(
    async () => {
      if (share !== undefined) await accounts.rates.spend('mail_share', share)
      await accounts.rates.spend('mail', 'all')
    },
    ({ message, retryAfterSeconds }) => {
      throw new AppError(
        'rate_limited',
        message,
        retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
      )
    },
  )
}
