import type { MailData } from '#core/contract/mail.ts'
import type { MailContent, MailReader } from '../mail-content.ts'
import { showDollars, showMoment } from '../show-values.ts'

/** Tells the other administrators that an adjustment waits for one of them. */
export function adjustmentWaits(
  { amount, expires_at }: MailData<'adjustment_waits'>,
  { publicUrl }: Pick<MailReader, 'publicUrl'>,
): MailContent {
  return {
    subject: `An adjustment of ${showDollars(amount)} waits for you`,
    title: 'An adjustment waits for a second administrator',
    paragraphs: ['Another administrator asked for it. Nothing moves until somebody else confirms it.'],
    facts: [
      ['Amount', showDollars(amount)],
      ['Expires', showMoment(expires_at)],
    ],
    action: { label: 'Show the adjustment', url: `${publicUrl}/admin/money?tab=adjustments` },
    reason: 'You receive this because you administer this installation of Leadwire.',
  }
}
