import { RETURN_REASONS, NOTED_REASONS, SHORTEST_NOTE } from '#core/contract/market/lead-return.ts'
import { LEAST_PAYMENT, MOST_PAYMENT } from '#core/contract/market/payment.ts'
import { labelReturnReason } from '#core/domain/market/describe-return.ts'
import { RETURN_DAYS, REVIEWED_ABOVE } from '#core/domain/market/judge-return.ts'
import { formatDollars } from '#web/format/money.ts'
import { PATHS, settingsPath } from '#web/paths.ts'
import { HelpAnswer, HelpLink } from './HelpAnswer.tsx'

export function LeadAnswers() {
  return (
    <>
      <HelpAnswer id="no-leads">
        <p>
          Your <HelpLink to={PATHS.dashboard}>dashboard</HelpLink> looks at everything that must be so, and
          leads to what is to be put right. In short: an administrator has approved your account; one of your{' '}
          <HelpLink to={PATHS.orders}>orders</HelpLink> is switched on, within its dates and hours, and under
          its caps and budgets; it asks for states that leads come from and that you are licensed in; and your
          balance covers the price of a lead.
        </p>
        <p>
          If all of this is so, no lead has come that fits, or other orders were first. Who is first among
          equals is who has received least that day for his share.
        </p>
      </HelpAnswer>
      <HelpAnswer id="caps">
        <p>
          In the time zone of the order: a day’s at midnight, a week’s on Monday, a month’s on the first. A
          cap in all never does. A cap may be lowered below what came today; then no more come until it begins
          anew. Leads that you return still count, because a cap protects your time.
        </p>
      </HelpAnswer>
      <HelpAnswer id="money">
        <p>
          Your balance is prepaid. A lead’s price is taken off in the moment in which it is assigned to you,
          whether or not your CRM takes it: it is yours to read, export and send again. Nothing you buy brings
          the balance below zero. The <HelpLink to={settingsPath('billing')}>ledger</HelpLink> holds each
          movement with the balance after it.
        </p>
        <p>
          You may add from {formatDollars(LEAST_PAYMENT)} to {formatDollars(MOST_PAYMENT)} at a time. Where no
          payment provider is set up, you request funds and an administrator marks them as received.
          Auto-recharge is off until you switch it on and agree to its amounts.
        </p>
      </HelpAnswer>
      <HelpAnswer id="returns">
        <p>
          On the lead’s page, once for each lead and within {RETURN_DAYS} days after it was assigned to you.
          An administrator decides; what is approved puts the price back on your balance. The lead then reads
          “Returned: do not contact”, and is sent to you no more.
        </p>
        <ul>
          <li>Accepted: {RETURN_REASONS.map((reason) => labelReturnReason(reason)).join(' · ')}.</li>
          <li>
            Not accepted: no answer or voicemail, not interested, already bought, the price, or that you
            bought the same person elsewhere.
          </li>
          <li>
            {NOTED_REASONS.map((reason) => labelReturnReason(reason)).join(' · ')}: these need a note of at
            least {SHORTEST_NOTE} characters.
          </li>
          <li>
            Where more than {REVIEWED_ABOVE * 100}% of your leads of 30 days went back, requests are looked at
            more closely. None is refused for that.
          </li>
        </ul>
      </HelpAnswer>
    </>
  )
}
