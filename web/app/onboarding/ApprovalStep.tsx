import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { meQuery } from '#web/api/me.ts'
import { setupQuery } from '#web/market/market-queries.ts'
import { countOf } from '#web/format/count-of.ts'
import { onboardingPath } from '#web/paths.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { formatDate } from '#web/ui/show/format-time.ts'
import { StepFooter } from './StepFooter.tsx'
import type { StepFlow } from './use-setup-flow.ts'

/** Says who approves the account, what they look at, and since when the account waits. */
export function ApprovalStep({ flow }: { flow: StepFlow }) {
  const email = useQuery(meQuery).data?.email
  const setup = useQuery(setupQuery).data
  if (setup === undefined) return null
  const { approved, waits_since: since, usual_wait_minutes: usual, business } = setup
  return (
    <Card
      title={approved ? 'Your account is approved' : 'Your account waits for approval'}
      actions={
        approved ? (
          <Badge tone="success" icon={<Check aria-hidden />}>
            Approved
          </Badge>
        ) : (
          since !== null && <Badge tone="waiting">Since {formatDate(since)}</Badge>
        )
      }
    >
      <dl className="grid gap-x-6 gap-y-4 pb-6 text-sm sm:grid-cols-[10rem_minmax(0,1fr)] sm:gap-y-3">
        <Line term="Who decides">An administrator of Leadwire.</Line>
        <Line term="What they look at">
          Your business, the states that you are licensed in and, if you have one, your National Producer
          Number.
          {!business && (
            <>
              {' '}
              <Link to={onboardingPath('business')} className="text-accent-strong underline">
                Describe your business
              </Link>{' '}
              first, so that they can decide.
            </>
          )}
        </Line>
        <Line term="How long it takes">
          {typeof usual === 'number'
            ? `A person does it by hand. Half of the accounts approved last had waited ${sayWait(usual)} or less since their sign-up.`
            : 'A person does it by hand, usually soon after you have described your business.'}{' '}
          Your other steps do not wait for it.
        </Line>
        <Line term="How you hear of it">
          By a mail{email !== undefined && ` to ${email}`}. From then on leads can be sold to you.
        </Line>
      </dl>
      <StepFooter flow={flow} />
    </Card>
  )
}

/** "20 minutes", "3 hours", "2 days". */
function sayWait(minutes: number) {
  const [count, unit] =
    minutes < 90
      ? [Math.max(1, minutes), 'minute']
      : minutes < 2880
        ? [Math.round(minutes / 60), 'hour']
        : [Math.round(minutes / 1440), 'day']
  return countOf(count, unit)
}

function Line({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-muted max-sm:-mb-3">{term}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}
