import type { Logger } from '#core/telemetry/logger.ts'
import type { ToldOfServer } from './send-mail.ts'

/**
 * The server counts as down after this many failures in a row that say nothing about the mails. One recipient that
 * hangs causes fewer.
 */
const AWAY_AFTER = 5

/**
 * Tracks whether the mail server takes our mail. The begin and the end of an outage are logged once each, however many
 * mails wait.
 */
export function watchMailServer(logger: Logger): {
  note: (told: ToldOfServer, mailId: string) => void
  isAway: () => boolean
} {
  let failures = 0
  const isAway = () => failures >= AWAY_AFTER
  return {
    isAway,
    note: (told, mailId) => {
      if (told === undefined) return
      if (told.served) {
        if (isAway()) logger.info({ failures }, 'the mail server takes mail again')
        failures = 0
        return
      }
      failures += 1
      const fields = { mail_id: mailId, failure: told.failure }
      if (failures === 1) logger.warn(fields, 'the mail server did not take a mail; it is tried again')
      if (failures === AWAY_AFTER)
        logger.error(fields, 'the mail server takes no mail; one at a time is tried until it does')
    },
  }
}
