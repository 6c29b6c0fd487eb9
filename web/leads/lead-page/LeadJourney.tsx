import { Link } from 'react-router-dom'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { leadJourney } from '../lead-journey.ts'
import { describeNextAttempt } from '../../components/webhook-log-cells.ts'
import { webhooksPath } from '../../paths.ts'
import { Card } from '../../ui/show/Card.tsx'
import { JourneyLine } from '../../ui/show/JourneyLine.tsx'
import { useNow } from '../../ui/use-now.ts'

type Attempt = LeadDetail['deliveries'][number]

const MOST_TROUBLES = 3
const OPENS = '-my-0.5 inline-block rounded-sm py-0.5 text-left text-accent hover:underline'

export interface LeadJourneyProps {
  lead: LeadDetail
  /** shows an attempt over the page; without it, a link leads to the client's own log */
  onOpenAttempt?: (id: string) => void
}

/** The lead's journey as a thin strip, with the reason below it if a webhook does not have the lead. */
export function LeadJourney({ lead, onOpenAttempt }: LeadJourneyProps) {
  const troubles = listTroubles(lead)
  return (
    <Card aria-label="Journey">
      <JourneyLine stations={leadJourney(lead)} />
      {troubles.length > 0 && (
        <ul
          aria-label="What went wrong"
          className="mt-3 flex flex-col gap-1 border-t border-line pt-3 text-sm"
        >
          {troubles.map((attempt) => (
            <Trouble key={attempt.id} attempt={attempt} all={lead.deliveries} onOpen={onOpenAttempt} />
          ))}
        </ul>
      )}
    </Card>
  )
}

interface TroubleProps {
  attempt: Attempt
  all: readonly Attempt[]
  onOpen: LeadJourneyProps['onOpenAttempt']
}

function Trouble({ attempt, all, onOpen }: TroubleProps) {
  const { id, webhook_name: name, webhook_config_id: webhook, error_message: error } = attempt
  const label = `${name}: show the attempt`
  const next = describeNextAttempt(attempt, all, new Date(useNow()))
  return (
    <li className="min-w-0 wrap-anywhere">
      {onOpen === undefined ? (
        <Link to={webhooksPath(webhook, id)} className={OPENS} aria-label={label}>
          {name}
        </Link>
      ) : (
        <button type="button" className={OPENS} aria-label={label} onClick={() => onOpen(id)}>
          {name}
        </button>
      )}
      <span className="text-muted">{` ${error}`}</span>
      {next !== null && <span className="text-muted tabular">{` · ${next}`}</span>}
    </li>
  )
}

/** The newest attempt of each delivery that has not arrived, if it failed and its webhook still exists. */
function listTroubles({ deliveries }: LeadDetail): Attempt[] {
  return deliveries
    .filter(({ delivery_state: state }) => state !== 'delivered' && state !== 'cancelled' && state !== null)
    .filter(
      (one) => one.is_latest && !one.is_resent && one.webhook_name !== null && one.error_message !== null,
    )
    .slice(0, MOST_TROUBLES)
}
