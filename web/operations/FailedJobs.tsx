import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeadLetterSummary } from '#core/contract/operations/dead-letter.ts'
import { Allowed } from '../components/admin/Allowed.tsx'
import { deadLetterSummaryQuery } from './operation-queries.ts'
import { RetryEventsDialog } from './RetryEventsDialog.tsx'
import { Button } from '../ui/action/Button.tsx'
import { Banner } from '../ui/show/Banner.tsx'

/**
 * Shows jobs that the queues gave up or that have no consumer. There should be none, so nothing is shown
 * without any.
 */
export function FailedJobs() {
  const { data } = useQuery(deadLetterSummaryQuery)
  if (data === undefined) return null
  return (
    <>
      <JobsGivenUp jobs={data.failed_jobs} />
      <FailedEvents events={data.failed_events} />
      {data.unclaimed_events.length > 0 && (
        <Banner tone="waiting" title="Some events wait for a newer version.">
          {list(data.unclaimed_events)}. This version does not know what to do with them and leaves them
          alone.
        </Banner>
      )}
    </>
  )
}

function FailedEvents({ events }: { events: DeadLetterSummary['failed_events'] }) {
  const [isAsked, setIsAsked] = useState(false)
  return (
    <>
      {events.length > 0 && (
        <Banner
          tone="failure"
          title="Some events could not be planned."
          action={
            <Allowed needs="operations">
              <Button size="sm" onClick={() => setIsAsked(true)}>
                Plan again
              </Button>
            </Allowed>
          }
        >
          {list(events)}. No delivery was made for them; the worker's log says why. Correct that first.
        </Banner>
      )}
      {isAsked && <RetryEventsDialog onClose={() => setIsAsked(false)} />}
    </>
  )
}

function JobsGivenUp({ jobs }: { jobs: DeadLetterSummary['failed_jobs'] }) {
  if (jobs === null) {
    return (
      <Banner tone="waiting" title="The queues cannot be read right now.">
        Redis does not answer. Leads are kept meanwhile and go on when it is back.
      </Banner>
    )
  }
  const failed = jobs.filter(({ count }) => count > 0)
  if (failed.length === 0) return null
  return (
    <Banner tone="failure" title="Some jobs were given up.">
      {failed.map(({ queue, count }) => `${count.toLocaleString('en-US')} on ${queue}`).join(', ')}. The queue
      dashboard shows why. Events wait until they are tried again; deliveries are enqueued again by
      themselves.
    </Banner>
  )
}

const list = (events: DeadLetterSummary['failed_events']): string =>
  events.map(({ type, count }) => `${count.toLocaleString('en-US')} × ${type}`).join(', ')
