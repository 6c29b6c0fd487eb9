import { RETURN_REASONS, NOTED_REASONS, SHORTEST_NOTE } from '#core/contract/market/lead-return.ts'
import { EVIDENCE_LIMITS } from '#core/contract/market/return-evidence.ts'
import { LEAST_PAYMENT, MOST_PAYMENT } from '#core/contract/market/money/payment.ts'
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
          Your <HelpLink to={PATHS.dashboard}>dashboard</HelpLink> checks everything that must be right, and
          leads to what needs your attention. In short: an administrator has approved your account; one of
          your <HelpLink to={PATHS.orders}>orders</HelpLink> is switched on, within its dates and hours, and
          under its caps and budgets; it asks for states that leads come from and that you are licensed in;
          and your balance covers the price of a lead.
        </p>
        <p>
          If everything is right, no matching lead has come, or other orders were first. Among equal orders,
          the one that has received least that day for its share is first.
        </p>
      </HelpAnswer>
      <HelpAnswer id="caps">
        <p>
          In the time zone of the order: daily ones at midnight, weekly ones on Monday, monthly ones on the
          first. A total cap never begins anew. You may lower a cap below what came today. Then no more leads
          come until it begins anew. Leads that you return still count, because a cap protects your time.
        </p>
      </HelpAnswer>
      <HelpAnswer id="money">
        <p>
          Your balance is prepaid. The price of a lead is charged the moment the lead is assigned to you,
          whether or not your CRM accepts it. The lead is yours to read, export and send again. Nothing you
          buy brings the balance below zero. The <HelpLink to={settingsPath('billing')}>ledger</HelpLink>{' '}
          shows each movement with the balance after it.
        </p>
        <p>
          You may add from {formatDollars(LEAST_PAYMENT)} to {formatDollars(MOST_PAYMENT)} at a time. If no
          payment provider is set up, you request funds and an administrator marks them as received.
          Auto-recharge is off until you switch it on and agree to its amounts.
        </p>
      </HelpAnswer>
      <HelpAnswer id="returns">
        <p>
          Return it on the lead’s page, once for each lead and within {RETURN_DAYS} days after it was assigned
          to you. An administrator decides. If the return is approved, the price goes back to your balance.
          The lead then reads “Returned: do not contact”, and is not sent to you any more.
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
            Up to {EVIDENCE_LIMITS.files} recordings, pictures, videos or PDF files help to decide. A
            screenshot can be pasted.
          </li>
          <li>
            If more than {REVIEWED_ABOVE * 100}% of your leads of 30 days were returned, your requests are
            reviewed more closely. No request is refused for that reason.
          </li>
        </ul>
      </HelpAnswer>
    </>
  )
}
